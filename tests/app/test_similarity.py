"""Similarity in a class: what its instructors see, nobody else, with a note of each look; and the zip for Dolos."""

import csv
import io
import re
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import update

from app.people import accounts
from app.people.audit import Wanted, search
from app.practice.old_sources import erase_sources
from app.practice.submissions import Submission
from tests.app.classes import GATHER, SOFTMAX, ClassAtHand, account, id_of, judged, make_class
from tests.conftest import Running

HONEST = (Path(__file__).parent / "honest" / "attention.txt").read_text().split("# ----\n")
VICTIM = next(text for text in HONEST if "def hide" in text)
COPY = "# all mine\n" + VICTIM.replace("scores", "s").replace("shifted", "moved")
OTHERS = [text for text in HONEST if text != VICTIM]


def with_copies(server: Running) -> tuple[ClassAtHand, dict[str, int]]:
    """A class of five; bob has copied from ada a day later. And everybody's submission."""
    teacher = account(server, "teacher@example.org", "instructor")
    made = make_class(server, teacher)
    made.assign(SOFTMAX)
    sources = {"ada": VICTIM, "bob": COPY, "eve": OTHERS[0], "ivy": OTHERS[4], "tom": "def solve(x): return x"}
    sent = {}
    for name, source in sources.items():
        client = account(server, f"{name}@example.org")
        made.join(client)
        later = datetime.now(UTC) - timedelta(days=3 if name == "ada" else 2)
        sent[name] = judged(server, client, at=later, exercise=SOFTMAX, source=source)
    return made, sent


def report(made: ClassAtHand) -> dict[str, Any]:
    found: dict[str, Any] = made.instructor.get(f"{made.url}/similarity/{SOFTMAX}").raise_for_status().json()
    return found


def pages(made: ClassAtHand, sent: dict[str, int]) -> list[str]:
    first = f"/classes/{made.id}/similarity"
    each = f"{first}/{SOFTMAX}"
    return [first, each, f"{each}/{sent['ada']}/{sent['bob']}", f"{each}/dolos.zip", f"{made.url}/similarity/{SOFTMAX}"]


def test_two_copies_are_a_cluster_with_who_was_first_on_the_left(server: Running) -> None:
    made, sent = with_copies(server)
    found = report(made)
    (cluster,) = found["clusters"]
    assert [one["name"] for one in cluster["members"]] == ["ada@example.org", "bob@example.org"]
    (pair,) = cluster["pairs"]
    assert (pair["left"], pair["right"]) == (sent["ada"], sent["bob"])
    assert pair["share"] > 0.9
    last = VICTIM.rstrip().count("\n") + 1
    assert pair["runs"][-1] | {"left_last": last, "right_last": last + 1} == pair["runs"][-1]
    assert (found["students"], found["compared"]) == (5, 4)
    assert [one["user"] for one in found["too_short"]] == [id_of(server, "tom@example.org")]


def test_the_pages_say_that_it_is_no_proof_and_show_both(server: Running) -> None:
    made, sent = with_copies(server)
    overview, each, both, *_ = [made.instructor.get(page) for page in pages(made, sent)]
    for page, first in ((overview, "compared-exercises"), (each, "Cluster 1"), (both, "marked-code")):
        assert page.status_code == 200
        assert page.text.index("This is no proof of anything") < page.text.index(first)
    assert re.search(r"<b class=\"number\">1</b> cluster, 2 students", overview.text)
    assert f"/classes/{made.id}/similarity/{SOFTMAX}/{sent['ada']}/{sent['bob']}" in each.text
    assert "Too short to compare (1)" in each.text
    assert "ada@example.org was the first of the two" in both.text
    assert both.text.count('class="in-run') > VICTIM.count("\n")
    swapped = made.instructor.get(f"/classes/{made.id}/similarity/{SOFTMAX}/{sent['bob']}/{sent['ada']}").text
    assert swapped[swapped.index("<h2") : swapped.index("</main>")] in both.text


def test_what_a_student_wrote_is_shown_as_text(server: Running) -> None:
    made, sent = with_copies(server)
    evil = account(server, "evil@example.org")
    made.join(evil)
    id = judged(server, evil, exercise=SOFTMAX, source=f"{VICTIM}\n# <script>alert(1)</script>\nx = '<img src=x>'")
    page = made.instructor.get(f"/classes/{made.id}/similarity/{SOFTMAX}/{sent['ada']}/{id}").text
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page
    assert "<img src=x" not in page


def test_nobody_but_the_classs_instructors_sees_it(server: Running) -> None:
    made, sent = with_copies(server)
    assistant, student = account(server, "helper@example.org"), account(server, "student@example.org")
    made.join(assistant)
    made.join(student)
    id = id_of(server, "helper@example.org")
    made.instructor.patch(f"{made.url}/roster/{id}", json={"role": "assistant"}).raise_for_status()
    stranger, admin = account(server, "other@example.org", "instructor"), account(server, "root@example.org", "admin")
    with server.client() as nobody:
        for client, status in ((assistant, 403), (student, 403), (stranger, 404), (admin, 404), (nobody, 401)):
            for page in pages(made, sent):
                answer = client.get(page, follow_redirects=False)
                assert answer.status_code == status, page
                assert "ada@example.org" not in answer.text


def test_each_look_is_noted_with_what_was_looked_at(server: Running) -> None:
    made, sent = with_copies(server)
    for page in pages(made, sent):
        made.instructor.get(page).raise_for_status()
    made.instructor.get(f"/classes/{made.id}/similarity/{SOFTMAX}/dolos.zip?names=1").raise_for_status()
    with server.state.db.reading() as db:
        entries = [*reversed(search(db, Wanted(action="similarity opened")))]
        exported = [*reversed(search(db, Wanted(action="similarity exported")))]
    here = {"slug": SOFTMAX}
    both = {**here, "submissions": [sent["ada"], sent["bob"]]}
    assert [one.entry.detail for one in entries] == [{}, here, both, here]
    assert {(one.who, one.entry.slug) for one in entries} == {("teacher@example.org", str(made.id))}
    assert [one.entry.detail["names"] for one in exported] == [False, True]


def test_only_accepted_submissions_of_this_class_to_this_exercise_are_shown(server: Running) -> None:
    made, sent = with_copies(server)
    made.assign(GATHER)
    ada = account(server, "more@example.org")
    elsewhere = judged(server, ada, exercise=SOFTMAX, source=VICTIM)  # of nobody in this class
    made.join(mallory := account(server, "mallory@example.org"))
    wrong = judged(server, mallory, 0.0, exercise=SOFTMAX, source=VICTIM)
    other = judged(server, mallory, 1.0, exercise=GATHER, source=VICTIM)
    for id in (elsewhere, wrong, other, sent["ada"], 999_999, "0", "x", "-1"):
        for page in (f"{sent['ada']}/{id}", f"{id}/{sent['ada']}"):
            answer = made.instructor.get(f"/classes/{made.id}/similarity/{SOFTMAX}/{page}")
            assert answer.status_code == 404, page
            assert "hide" not in answer.text
    right = judged(server, mallory, 1.0, exercise=SOFTMAX, source=VICTIM)
    assert made.instructor.get(f"/classes/{made.id}/similarity/{SOFTMAX}/{sent['ada']}/{right}").status_code == 200
    for slug in ("flax-learned-pos", "nothing"):  # not assigned, and none
        assert made.instructor.get(f"/classes/{made.id}/similarity/{slug}").status_code == 404


def test_the_newest_accepted_counts_and_who_has_left_does_not(server: Running) -> None:
    made, _ = with_copies(server)
    assert len(report(made)["clusters"]) == 1
    bob = account(server, "bob2@example.org")
    made.join(bob)
    judged(server, bob, exercise=SOFTMAX, source=COPY)
    assert len(report(made)["clusters"][0]["members"]) == 3
    judged(server, bob, exercise=SOFTMAX, source=OTHERS[9])
    judged(server, bob, 0.0, exercise=SOFTMAX, source=COPY)  # wrong: it is no accepted one
    assert len(report(made)["clusters"][0]["members"]) == 2
    made.instructor.delete(f"{made.url}/roster/{id_of(server, 'bob@example.org')}").raise_for_status()
    found = report(made)
    assert (found["clusters"], found["compared"]) == ([], 4)


def test_what_was_erased_is_named_and_not_compared(server: Running) -> None:
    made, sent = with_copies(server)
    assert len(report(made)["clusters"]) == 1
    old = datetime.now(UTC) - timedelta(days=900)
    with server.state.db.writing() as db:
        db.execute(update(Submission).where(Submission.id == sent["ada"]).values(created_at=old))
    _send_wrong_as(server, "ada@example.org")
    assert erase_sources(server.state.db, datetime.now(UTC) - timedelta(days=700)) == 1
    found = report(made)
    assert found["clusters"] == []
    assert [one["submission"] for one in found["erased"]] == [sent["ada"]]
    page = made.instructor.get(f"/classes/{made.id}/similarity/{SOFTMAX}").text
    assert "Source erased (1)" in page
    gone = made.instructor.get(f"/classes/{made.id}/similarity/{SOFTMAX}/{sent['ada']}/{sent['bob']}")
    assert gone.status_code == 404
    assert "erased" in gone.text


def _send_wrong_as(server: Running, email: str) -> None:
    """Somebody's newest submission, so that the older one is nobody's to go on with."""
    with server.client(Authorization=f"Bearer {accounts.make_token(server.state.db, email)}") as client:
        judged(server, client, 0.0, exercise=SOFTMAX, source="def solve(x): return 1")


def unzipped(answer: httpx.Response) -> dict[str, bytes]:
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_zip_has_names_of_ours_and_what_dolos_reads(server: Running) -> None:
    made, sent = with_copies(server)
    url = f"/classes/{made.id}/similarity/{SOFTMAX}/dolos.zip"
    nasty = {"ada": "../../etc/passwd", "bob": '=HYPERLINK("x")'}
    for name, called in nasty.items():
        id = id_of(server, f"{name}@example.org")
        made.instructor.patch(f"{made.url}/roster/{id}", json={"name": called, "section": "B/../A"}).raise_for_status()
    for query, names in (("", False), ("?names=1", True)):
        answer = made.instructor.get(url + query)
        files = unzipped(answer)
        assert all(re.fullmatch(r"submission-\d+\.py|template\.py|info\.csv", name) for name in files)
        assert files[f"submission-{sent['ada']}.py"] == VICTIM.encode()
        assert b"raise NotImplementedError" in files["template.py"]
        assert b"log_sum" not in files["template.py"]  # no solution
        lines = list(csv.DictReader(io.StringIO(files["info.csv"].decode())))
        assert {line["filename"] for line in lines} == files.keys() - {"info.csv"}
        assert [line["filename"] for line in lines if line["ignored"] == "true"] == ["template.py"]
        assert lines[0]["id"] == str(sent["ada"])
        assert datetime.fromisoformat(lines[0]["created_at"]) < datetime.fromisoformat(lines[1]["created_at"])
        told = {line["full_name"] for line in lines}
        assert ("../../etc/passwd" in told) == names
        assert ('\'=HYPERLINK("x")' in told) == names
        assert names or "example.org" not in files["info.csv"].decode()


def test_an_exercise_that_is_not_assigned_or_has_nothing_yet_says_so(server: Running) -> None:
    teacher = account(server, "teacher@example.org", "instructor")
    made = make_class(server, teacher)
    assert "No exercise is assigned yet" in teacher.get(f"/classes/{made.id}/similarity").text
    assert teacher.get(f"/classes/{made.id}/similarity/{SOFTMAX}").status_code == 404
    made.assign(SOFTMAX)
    assert "fewer than two accepted" in teacher.get(f"/classes/{made.id}/similarity").text
    assert "nothing to compare yet" in teacher.get(f"/classes/{made.id}/similarity/{SOFTMAX}").text


def test_the_exercises_own_code_is_not_held_against_anybody(server: Running) -> None:
    made, _ = with_copies(server)
    exercise = server.state.catalog.exercises[SOFTMAX]
    for number, source in enumerate([exercise.reference, exercise.reference, exercise.solutions[0]]):
        client = account(server, f"own{number}@example.org")
        made.join(client)
        judged(server, client, exercise=SOFTMAX, source=source.text)
    found = report(made)
    assert len(found["clusters"][0]["members"]) == 2
    assert sum(one["tokens"] == 0 for one in found["too_short"]) == 3
