"""Previews: those who may author something see its newest state and what students never see; nobody else does."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.people import accounts
from app.settings import Settings
from app.teaching.revisions import content_of, newest, save
from app.teaching.subjects import Subject
from tests.conftest import Running, running
from tests.content.hostile import course
from tests.server_process import DOUBLED, one_exercise
from tests.waiting import until

QUESTION = """Read [the next](02-b.md), then ![see](figures/dot.svg)

::::{question} how-many
:type: count
:given: n = 3 | 5
:answer: n * 2
How many is twice {{n}}?
:::{explain}
It is {{answer}}.
:::
::::
"""
DOT = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle cx="4" cy="4" r="4"/></svg>'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("previews")
    one_exercise(folder)
    demo = course(folder / "lessons" / "demo", QUESTION)
    (demo / "02-b.md").write_text("---\ntitle: B\n---\nThe next.\n")
    (demo / "figures").mkdir()
    (demo / "figures" / "dot.svg").write_text(DOT)
    return folder


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Running]:
    settings = Settings(
        data=folder / "var", exercises=(folder / "exercises",), lessons=(folder / "lessons",), workers=1
    )
    with running(settings) as server:
        for email, role in (("ada@example.org", "instructor"), ("sue@example.org", "student")):
            accounts.add_user(server.state.db, email, role, None)
        yield server


def signed_in(server: Running, email: str) -> httpx.Client:
    return server.client(Authorization=f"Bearer {accounts.make_token(server.state.db, email)}")


PAGES = (f"/preview/exercises/{DOUBLED}", "/preview/courses/demo", "/preview/courses/demo/a")


@pytest.mark.parametrize("path", [*PAGES, "/preview/courses/demo/figures/dot.svg"])
def test_only_who_may_author_it_is_told_that_there_is_a_preview(server: Running, path: str) -> None:
    with server.client() as nobody, signed_in(server, "sue@example.org") as student:
        assert nobody.get(path).status_code == 401
        assert student.get(path).status_code == 404
        assert student.get("/preview/exercises/none").status_code == 404
    with signed_in(server, "ada@example.org") as author:
        assert author.get(path).status_code == 200
        assert author.get("/preview/exercises/none").status_code == 404


def test_hidden_cases_are_revealed_and_the_newest_state_of_the_folder_is_shown(server: Running, folder: Path) -> None:
    exercise = folder / "exercises" / DOUBLED
    statement = (exercise / "statement.md").read_text()
    try:
        (exercise / "statement.md").write_text("Cantaloupe.\n")
        with signed_in(server, "ada@example.org") as author:

            def page() -> str:
                text = author.get(PAGES[0]).text
                return text if "secretly four" in text else ""

            shown = until(page, "no hidden case is shown", look_seconds=0.05)
            assert "Cantaloupe." in shown
            assert "Nothing you do here is recorded" in shown
            assert "Cantaloupe." not in author.get(f"/exercises/{DOUBLED}").text, "it is not published"
            (exercise / "exercise.toml").rename(exercise / "gone.toml")
            broken = author.get(PAGES[0])
            assert (broken.status_code, "exercise.toml" in broken.text) == (200, True)
            (exercise / "gone.toml").rename(exercise / "exercise.toml")
    finally:
        (exercise / "statement.md").write_text(statement)


def test_any_variant_of_a_question_is_shown_with_its_answer_and_takes_none(server: Running) -> None:
    with signed_in(server, "ada@example.org") as author:
        first, second = (author.get(f"{PAGES[2]}?variant={number}").text for number in (1, 2))
        assert author.get(f"{PAGES[2]}?variant=0").status_code == 422
    numbers = {"twice 3": "It is 6.", "twice 5": "It is 10."}
    shown = [next(asked for asked in numbers if asked in page) for page in (first, second)]
    assert sorted(shown) == sorted(numbers)
    for page, asked in zip((first, second), shown, strict=True):
        assert numbers[asked] in page
        assert 'action="/questions/' not in page, "there is nowhere that an answer could go"


def test_a_revision_is_shown_with_its_own_pictures_and_neighbours(server: Running) -> None:
    subject = Subject("course", "demo")
    with server.state.db.writing() as db:
        base = newest(db, subject).content_hash if content_of(db, subject) is not None else None
        lesson = f"---\ntitle: A\n---\nDurian.\n\n{QUESTION}".encode()
        files = dict(server.state.catalog.courses["demo"].files) | {"01-a.md": lesson}
        revision = save(db, None, subject, base, files, "Durian").content_hash
    with signed_in(server, "ada@example.org") as author:
        page = author.get(f"{PAGES[2]}?revision={revision}").text
        assert "Durian." in page
        assert f'href="/preview/courses/demo/b?revision={revision}"' in page
        assert f'src="/preview/courses/demo/figures/dot.svg?revision={revision}"' in page
        assert author.get(f"/preview/courses/demo/figures/dot.svg?revision={revision}").text == DOT
        assert author.get(f"{PAGES[2]}?revision={'0' * 64}").status_code == 404
        assert "Durian." in author.get(PAGES[2]).text, "what was saved in the browser is the newest"
        assert "Durian." not in author.get("/courses/demo/a").text
