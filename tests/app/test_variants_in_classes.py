"""Variants in a class: each submission is judged again by its own, and a report says whose file fits whose."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from app.classes.classes import new_code
from app.classes.similarity import base_of
from app.classes.variant_reports import VariantReport
from app.classes.winnowing import program_of
from app.practice.efforts import Effort
from app.practice.gradings import Grading
from app.practice.submissions import Submission
from app.settings import Settings
from graders.exercise.reader import exercise_from_files
from tests.app.classes import ClassAtHand, account
from tests.app.varied import PAGE, sent, students, write_scaled
from tests.conftest import Running, require_boxes, running
from tests.graders.varied import FACTORS, SCALED, answer, scaled, scaled_files
from tests.sittings import write_course
from tests.waiting import until

ONE_TOO_MANY = "def scaled(x):\n    return x * ({{by}} + 1)\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """With a judge, and an exercise whose reference multiplies by one too many."""
    data = tmp_path_factory.mktemp("varied-class")
    exercises = write_scaled(data / "exercises", reference_py=ONE_TOO_MANY)
    lessons = write_course(data / "lessons")
    settings = Settings(
        workers=1, data=data, database_url="", exercises=(exercises,), lessons=(lessons,), rate_limits="off"
    )
    with running(settings) as server:
        assert server.state.judge is not None
        require_boxes(server.state.judge)
        yield server


@dataclass(frozen=True)
class Varied:
    """A class with a student of each factor."""

    class_: ClassAtHand
    students: dict[int, httpx.Client]

    @property
    def teacher(self) -> httpx.Client:
        return self.class_.instructor


@pytest.fixture
def made(server: Running) -> Varied:
    teacher = account(server, f"ada-{new_code()}@example.org", "instructor")
    body = {"course": "demo", "title": "Spring", "timezone": "UTC"}
    found = teacher.post("/api/v1/classes", json=body).raise_for_status().json()
    class_ = ClassAtHand(found["id"], found["join_code"], teacher)
    theirs = students(server)
    for client in theirs.values():
        class_.join(client)
    class_.assign(SCALED)
    return Varied(class_, theirs)


def rows(server: Running, ids: list[int]) -> list[Any]:
    """All that is theirs, but a counter, and what is written a moment after a verdict."""
    left_out = {"changes", "stages"}
    with server.state.db.reading() as db:
        asked = [select(Grading).where(Grading.submission_id.in_(ids)), select(Effort).where(Effort.exercise == SCALED)]
        found = [one for every in asked for one in db.scalars(every)]
        return [[getattr(one, at.key) for at in one.__table__.columns if at.key not in left_out] for one in found]


def test_each_submission_is_judged_again_by_its_own_variant_of_the_revision(server: Running, made: Varied) -> None:
    eve, bob = made.students[2], made.students[5]
    verdicts = [sent(eve, answer(2)), sent(eve, answer(5)), sent(bob, answer(6)), sent(bob, answer(2))]
    assert [one["verdict"] for one in verdicts] == ["wrong_answer", "wrong_answer", "accepted", "wrong_answer"]
    ids = [one["id"] for one in verdicts]
    before = rows(server, ids)
    older = f"/classes/{made.class_.id}/regradings?older=1"
    assert "Every submission was judged by its exercise as it is now" in made.teacher.get(older).text

    files = made.teacher.get(f"{PAGE}/files").raise_for_status().json()
    toml = files["files"]["exercise.toml"].replace("[2, 3, 5]", "[5, 2, 3]")  # every variant has another number
    changed = {"reference.py": scaled_files()["reference.py"].decode(), "exercise.toml": toml}
    saved = made.teacher.post(
        f"{PAGE}/revisions", json={"base": files["revision"], "files": changed, "message": "right"}
    ).raise_for_status()  # fmt: skip
    revision = saved.json()["revision"]
    body = {"revision": revision, "class": made.class_.id}
    url = f"/api/v1/regradings/{made.teacher.post(f'{PAGE}/regradings', json=body).raise_for_status().json()['id']}"
    until(lambda: made.teacher.get(url).json()["state"] not in ("queued", "running"), look_seconds=0.05)
    found = made.teacher.get(url).json()
    assert (found["state"], found["total"], found["failed"]) == ("finished", 4, 0)
    assert [(one["submission"], one["after"]) for one in found["gain"]] == [(ids[0], 1.0)]
    assert [(one["submission"], one["after"]) for one in found["lose"]] == [(ids[2], 0.0)]
    assert rows(server, ids) == before

    made.teacher.post(f"{url}/application", json={"keep": "new"}).raise_for_status()
    first = exercise_from_files(SCALED, {**scaled_files(), "exercise.toml": toml.encode()})
    hashes = {one.variants.values_of(one.variant)["by"]: one.content_hash for one in (first, *first.others)}
    now = eve.get(f"/api/v1/submissions/{ids[0]}").json()
    assert (now["verdict"], now["exercise_hash"]) == ("accepted", hashes[2])
    now = bob.get(f"/api/v1/submissions/{ids[2]}").json()
    assert (now["verdict"], now["exercise_hash"]) == ("wrong_answer", hashes[5])
    assert "2 of 4 submissions" in made.teacher.get(older).text, "the revision is not published"

    made.teacher.delete(f"{url}/application").raise_for_status()
    assert rows(server, ids) == before
    assert eve.get(f"/api/v1/submissions/{ids[0]}").json() == verdicts[0]
    assert set(hashes) == set(FACTORS)


def found_by(made: Varied) -> str:
    """The page of the report, once it is finished."""
    page = f"/classes/{made.class_.id}/similarity/{SCALED}"
    asked = made.teacher.post(f"{page}/variants")
    assert (asked.status_code, asked.headers["location"]) == (303, f"{page}#variants")

    def finished() -> str:
        text = " ".join(made.teacher.get(page).raise_for_status().text.split())
        return text if "Found " in text else ""

    return until(finished, "the report is not finished", look_seconds=0.05)


def test_the_report_says_whose_answers_are_right_in_whose_variant(server: Running, made: Varied) -> None:
    page = f"/classes/{made.class_.id}/similarity/{SCALED}"
    before = made.teacher.get(page).text
    assert "Answers to the variant of somebody else" in before
    assert "Look for them" in before
    assert "Found " not in before
    right = {by: answer(by + 1) for by in FACTORS}  # the reference multiplies by one too many
    eve, ivy, _ = (made.students[by] for by in FACTORS)
    made.class_.join(students(server)[5])  # another with the values that bob has
    mine = sent(eve, right[2])
    shared = sent(eve, right[5])
    nobodys = [sent(ivy, f"def scaled(x):\n    return x * {odd}\n") for odd in (11, 12, 13, 14)]
    assert [one["verdict"] for one in (mine, shared, *nobodys)] == ["accepted", *["wrong_answer"] * 5]
    guests = sent(ivy, right[3])
    with server.state.db.writing() as db:  # as if ivy had sent it as a guest, who has the first
        row = db.get_one(Submission, guests["id"])
        row.snapshot_id = server.state.catalog.snapshot_ids[SCALED]
    counted = rows(server, [mine["id"], shared["id"], guests["id"]])

    text = found_by(made)
    link = f'<a href="/classes/{made.class_.id}/submissions/{shared["id"]}">submission {shared["id"]}</a>'
    assert f"{link}, rejected with <code>by = 2</code>, is right for <code>by = 5</code>, which" in text
    assert " and 1 other have." in text
    link = f'<a href="/classes/{made.class_.id}/submissions/{guests["id"]}">submission {guests["id"]}</a>'
    assert f"{link} was accepted with <code>by = 2</code>, and their own is <code>by = 3</code>" in text
    assert "rejected submissions of each student, 4 in all. 1 more was left out." in text
    assert f"submission {mine['id']}<" not in text
    assert not [one for one in nobodys if f"submission {one['id']}<" in text]
    assert counted == rows(server, [mine["id"], shared["id"], guests["id"]]), "a report changes nothing that counts"
    assert made.teacher.get(f"/classes/{made.class_.id}/submissions/{shared['id']}").status_code == 200

    text = found_by(made)
    assert text.count("is right for <code>") == 1, "to look again takes the place of what was found"
    with server.state.db.reading() as db:
        assert len(db.scalars(select(VariantReport).where(VariantReport.class_id == made.class_.id)).all()) == 1
    for client, status in ((eve, 403), (account(server, f"{new_code()}@example.org", "instructor"), 404)):
        assert client.post(f"{page}/variants").status_code == status


def test_what_any_variant_brings_along_is_nobodys_own_code() -> None:
    starter = "import numpy as np\n\n\ndef scaled(x):\n    low = np.{{way}}(x, axis=0)\n    return np.stack([low, x])\n"
    first = scaled(variants='way = ["cumsum", "cumprod"]', starter_py=starter, reference_py=starter)
    for variant in (first, *first.others):
        grams = program_of(variant.starter("numpy").encode()).grams
        assert grams
        assert set(grams) <= base_of(first)
    assert program_of(first.starter("numpy").encode()).grams != grams
