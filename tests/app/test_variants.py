"""Variants of an exercise as people meet them: each student their own, everywhere, and judged by it alone."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.classes.classes import new_code
from app.people.users import User
from app.reading.catalog import Catalog
from app.settings import Settings
from graders.exercise.built import cases_at_hand
from tests.app.classes import account, id_of
from tests.app.varied import PAGE, factor_of, sent, students, write_scaled
from tests.conftest import Running, require_boxes, running
from tests.graders.varied import FACTORS, SCALED, answer, scaled_files
from tests.waiting import until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("varied")
    settings = Settings(
        workers=1, data=data, database_url="", exercises=(write_scaled(data / "exercises"),), lessons=(data / "none",),
        rate_limits="off",
    )  # fmt: skip
    with running(settings) as server:
        assert server.state.judge is not None
        require_boxes(server.state.judge)
        yield server


def samples_of(client: httpx.Client) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = client.get(PAGE).json()["sample_cases"]
    return cases


def test_each_student_meets_their_own_variant_everywhere_and_no_other(server: Running) -> None:
    for by, client in students(server).items():
        others = [f"number by {other}" for other in FACTORS if other != by]
        shown = client.get(PAGE).json()
        assert (shown["statement"], shown["starter"]["numpy"]) == (
            f"Multiply each number by {by}.\n", f"def scaled(x):\n    return x  # times {by}\n",
        )  # fmt: skip
        samples = until(partial(samples_of, client), "they are not built", look_seconds=0.05)
        assert f"{by}., {2 * by}., {3 * by}." in " ".join(samples[0]["expected"]["text"].split()).replace(",  ", ", ")
        whole = client.get(f"{PAGE}/samples").raise_for_status().json()["cases"][0]
        assert whole["expected"]["value"]["array"]["values"] == [by, 2 * by, 3 * by]
        desk = client.get(f"/exercises/{SCALED}?variant=2").raise_for_status().text
        assert f"Multiply each number by {by}." in desk
        assert f"times {by}" in desk
        assert not [words for words in others if words in desk]
        assert "Variant" not in desk, "nothing of numbers is for students"
        hints = [client.post(f"{PAGE}/hints", json={}).json()["html"] for _ in range(2)]
        assert f"x * {by}" in hints[1]
        run = sent(client, answer(by), kind="run", input={"x": "[1, 4]"})
        assert run["verdict"] == "accepted", run
        client.post(f"/exercises/{SCALED}/give-ups")
        assert f"multiplies each number by {by}." in client.get(f"/exercises/{SCALED}/solution").text


def test_every_variant_is_prepared_before_a_student_comes(server: Running) -> None:
    state = server.state
    awaited = state.catalog.awaited()
    assert [one.variant for one in awaited if one.slug == SCALED] == [0, 1, 2]
    assert [one.variant for one in awaited] == sorted(one.variant for one in awaited), "the first of each comes first"
    assert state.shelf is not None
    shelf = state.shelf
    until(lambda: all(cases_at_hand(shelf, one) is not None for one in awaited), "a variant is not prepared")
    for by, client in students(server).items():
        (sample,) = client.get(PAGE).json()["sample_cases"]
        shown = " ".join(sample["expected"]["text"].split())
        assert f"{by}., {2 * by}., {3 * by}." in shown.replace(",  ", ", ")


def test_a_right_answer_is_right_for_those_alone_who_have_its_variant(server: Running) -> None:
    hashes = {}
    for by, client in students(server).items():
        for other in FACTORS:
            found = sent(client, answer(other))
            assert found["verdict"] == ("accepted" if other == by else "wrong_answer")
            hashes[by] = found["exercise_hash"]
        assert hashes[by] == client.get(PAGE).json()["content_hash"]
        assert "There is a newer" not in client.get(f"/submissions/{found['id']}").text
    assert len(set(hashes.values())) == 3


def test_nobody_is_judged_by_the_variant_of_a_hash_that_they_send(server: Running) -> None:
    theirs = students(server)
    hashes = {by: client.get(PAGE).json()["content_hash"] for by, client in theirs.items()}
    with server.guest() as guest:
        people = [*theirs.items(), (FACTORS[0], guest)]
        for by, client in people:
            for other in FACTORS:
                page = client.post(
                    f"/exercises/{SCALED}/submissions", follow_redirects=True,
                    data={"source": answer(other), "exercise_hash": hashes[other], "framework": "numpy"},
                )  # fmt: skip
                found = sent(client, answer(other))
                assert page.status_code == 200
                assert found["exercise_hash"] == hashes[by]
                newest = client.get(str(page.url).replace("/submissions", "/api/v1/submissions")).json()
                assert newest["exercise_hash"] == hashes[by]
    teacher = account(server, f"{new_code()}@example.org", "instructor")
    data = {"source": answer(5), "exercise_hash": hashes[5], "framework": "numpy"}
    page = teacher.post(f"/exercises/{SCALED}/submissions", data=data, follow_redirects=True)
    judged = teacher.get(str(page.url).replace("/submissions", "/api/v1/submissions")).json()
    assert judged["exercise_hash"] == hashes[5], "staff may try any: they can read all"


def test_staff_and_guests_have_the_first_and_staff_may_look_at_any(server: Running) -> None:
    teacher = account(server, f"{new_code()}@example.org", "instructor")
    with server.guest() as guest, server.client() as nobody:
        assert [factor_of(one) for one in (teacher, guest, nobody)] == [2, 2, 2]
        assert "number by 2." in guest.get(f"/exercises/{SCALED}?variant=3").text
    assert "Variant 1 of 3: by = 2." in teacher.get(f"/exercises/{SCALED}").text
    third = teacher.get(f"/exercises/{SCALED}?variant=3").text
    assert "Variant 3 of 3: by = 5." in third
    assert "Multiply each number by 5." in third
    assert teacher.get(PAGE, params={"variant": 2}).json()["statement"] == "Multiply each number by 3.\n"
    for odd in ("0", "4", "x", "-1", "1" * 40):
        assert teacher.get(f"/exercises/{SCALED}", params={"variant": odd}).status_code == 404


def test_staff_who_look_at_a_variant_open_its_hints(server: Running) -> None:
    teacher = account(server, f"{new_code()}@example.org", "instructor")
    page = teacher.get(f"/exercises/{SCALED}?variant=3").text
    assert f'action="/exercises/{SCALED}/hints?variant=3"' in page
    assert f'formaction="/exercises/{SCALED}/hints?variant=3#hint-1"' in page
    opened = [teacher.post(f"/exercises/{SCALED}/hints?variant=3", data={}, follow_redirects=True) for _ in range(2)]
    assert "x * 5" in opened[1].text
    assert str(opened[1].url).endswith("?variant=3#hint-2")
    by, student = next((by, client) for by, client in students(server).items() if by != 5)
    student.post(f"/exercises/{SCALED}/hints?variant=3", data={}, follow_redirects=True)
    last = student.post(f"/exercises/{SCALED}/hints?variant=3", data={}, follow_redirects=True)
    assert f"x * {by}" in last.text
    assert "variant" not in str(last.url)
    assert "hints?variant" not in last.text


def test_the_gallery_shows_variants_as_an_author_writes_them(server: Running) -> None:
    author = account(server, f"{new_code()}@example.org", "instructor")
    shown = author.get("/author/gallery/exercises/own-factor").raise_for_status().text
    assert "{{factor}}" in shown
    assert "/author/gallery/exercises/own-factor" in author.get("/author/gallery").raise_for_status().text


def test_an_author_looks_at_any_variant_before_it_is_published(server: Running) -> None:
    author = account(server, f"{new_code()}@example.org", "instructor")
    first = author.get(f"/preview/exercises/{SCALED}").raise_for_status().text
    third = author.get(f"/preview/exercises/{SCALED}?variant=3").raise_for_status().text
    assert "Variant 1 of 3: by = 2." in first
    assert "Multiply each number by 2." in first
    assert "Variant 3 of 3: by = 5." in third
    assert f'href="/preview/exercises/{SCALED}?variant=2"' in third
    assert "Multiply each number by 5." in third
    assert "times 5" in third
    assert author.get(f"/preview/exercises/{SCALED}?variant=4").status_code == 404


def test_who_began_with_a_variant_is_judged_by_it_where_there_are_none_any_more(server: Running) -> None:
    catalog, folder = server.state.catalog, server.state.settings.exercises[0]

    def serve(slug: str, **changed: str) -> None:
        for name, content in scaled_files(**changed).items():
            path = folder / slug / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        catalog.refresh("exercise", folder / slug)
        until(lambda: slug in catalog.exercises and not catalog.is_waiting(slug), "it is not served")

    serve("lately")
    page = "/api/v1/exercises/lately"
    theirs = {by: account(server, f"{new_code()}@example.org") for by in range(8)}
    hashes = {n: client.get(page).json()["content_hash"] for n, client in theirs.items()}
    first = catalog.exercise("lately").content_hash
    (one,) = [n for n in hashes if hashes[n] != first][:1]
    toml, _, _ = scaled_files()["exercise.toml"].decode().partition("[variants]")
    plain = {name: text.decode().replace("{{by}}", "7") for name, text in scaled_files().items()}
    serve(
        "lately", exercise_toml=toml, statement_md=plain["statement.md"], starter_py=plain["starter.py"],
        reference_py=plain["reference.py"], hints_md=plain["hints.md"], solution_md=plain["solution.md"],
        **{"mistakes/added_py": plain["mistakes/added.py"]},
    )  # fmt: skip
    now = catalog.exercise("lately").content_hash

    def judged_by(content_hash: str) -> str:
        body = {"source": answer(7), "framework": "numpy", "exercise_hash": content_hash}
        at = theirs[one].post("/exercises/lately/submissions", data=body, follow_redirects=True).url
        shown = theirs[one].get(str(at).replace("/submissions", "/api/v1/submissions")).raise_for_status().json()
        return str(shown["exercise_hash"])

    assert judged_by(hashes[one]) == hashes[one]
    assert judged_by(first) == now, "the first variant is somebody else's"


def test_a_draw_outlives_a_restart_and_is_the_same_in_another_process(server: Running, tmp_path: Path) -> None:
    people = {
        id_of(server, email): email
        for email in (f"{new_code()}@example.org" for _ in range(12))
        if account(server, email)
    }
    exercises = server.state.settings.exercises
    again = Catalog(server.state.db)
    again.import_folders(exercises, [])
    follower = Catalog(server.state.db)
    follower.look()
    with server.state.db.reading() as db:
        rows = [db.get_one(User, id) for id in people]
    drawn = [server.state.catalog.for_person(SCALED, row).variant for row in rows]
    assert len(set(drawn)) > 1
    for other in (again, follower):
        assert [other.for_person(SCALED, row).variant for row in rows] == drawn
        for row in rows:
            exercise, id = other.begun(SCALED, None, row)
            assert (exercise.variant, id) == (
                server.state.catalog.for_person(SCALED, row).variant,
                server.state.catalog.begun(SCALED, None, row)[1],
            )
            assert other.judged_by(id).judging_hash == exercise.judging_hash
