"""An essay from the student's page to the grader's and back, sound on a phone and in the dark."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app.people import accounts
from app.settings import Settings
from tests.browser.conftest import LOOKS, Open
from tests.browser.soundness import assert_sound
from tests.conftest import Running, running

QUIZ = """---
title: A quiz
kind: quiz
attempts: 9
---
::::{question} why
:type: essay
:points: 5
Why does attention need positions? Give two sentences that it could not tell apart.
:::{rubric}
- 3 points: the rows are a set
- 2 points: an example
:::
::::
"""
SHOTS = os.environ.get("LECTERN_SHOTS")  # a folder for pictures of every page that is looked at


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("essays")
    course = data / "lessons" / "written"
    course.mkdir(parents=True)
    (course / "course.toml").write_text('title = "Written"\nblurb = "Of the tests."\n')
    (course / "01-quiz.md").write_text(QUIZ)
    (data / "exercises").mkdir()
    settings = Settings(
        workers=0, data=data, lessons=(data / "lessons",), exercises=(data / "exercises",), rate_limits="off"
    )
    with running(settings) as server:
        accounts.add_user(server.state.db, "staff@example.org", "instructor", None)
        yield server


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_an_essay_is_written_graded_and_read(visit: Open, site: Running, width: int, theme: str) -> None:
    def looked_at(page: Page, name: str) -> None:
        assert_sound(page, width, theme)
        if SHOTS:
            page.screenshot(path=str(Path(SHOTS) / f"essay-{name}-{width}-{theme}.png"), full_page=True)

    student = visit("/courses/written/quiz", width=width, theme=theme)
    student.get_by_role("button", name="Start").click()
    student.get_by_role("textbox").fill("The rows are a set.\n\nDog bites man, man bites dog.")
    expect(student.locator("[data-read]")).to_contain_text("11 words")
    looked_at(student, "written")
    student.get_by_role("button", name="Finish").click()
    student.get_by_role("button", name=re.compile("Submit")).click()
    expect(student.locator(".mark")).to_contain_text("Waiting for grading, 5 points")
    looked_at(student, "waiting")
    token = accounts.make_token(site.state.db, "staff@example.org")
    staff = visit(
        "/courses/written/quiz", width=width, theme=theme, extra_http_headers={"Authorization": f"Bearer {token}"}
    )
    staff.get_by_role("link", name="Answers to grade").click()
    looked_at(staff, "list")
    staff.get_by_role("link", name=re.compile("^Answer [0-9]")).click()
    expect(staff.get_by_text("3 points: the rows are a set")).to_be_visible()
    looked_at(staff, "grading")
    staff.get_by_label("Points, of 5").fill("4.5")
    staff.get_by_label("Comment").fill("A fine example.")
    staff.get_by_role("button", name="Save the grade").click()
    expect(staff.get_by_text("No answer is waiting.")).to_be_visible()
    student.reload()
    expect(student.get_by_role("heading", level=1)).to_have_text("4.5 of 5")
    expect(student.get_by_text("A fine example.")).to_be_visible()
    looked_at(student, "graded")
