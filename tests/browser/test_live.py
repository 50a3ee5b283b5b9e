"""With `serve --edit`: what an author saves shows on the page that is open, and what they typed there stays."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from app.settings import Settings
from tests.browser.conftest import box_of
from tests.conftest import Running, running
from tests.content.hostile import course
from tests.server_process import DOUBLED, one_exercise
from tests.waiting import LIMIT_MS

QUESTION = """::::{question} how-many
:type: count
:answer: 12
How many are there?
::::
"""
LESSON = f"First paragraph.\n\n{QUESTION}\n" + "\n\n".join(f"Paragraph {n} of many." for n in range(60)) + "\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("live")
    one_exercise(folder)
    course(folder / "lessons" / "demo", LESSON)
    return folder


@pytest.fixture(scope="module")
def editing(folder: Path) -> Iterator[Running]:
    settings = Settings(
        data=folder / "var", exercises=(folder / "exercises",), lessons=(folder / "lessons",), workers=1, edit="on",
        rate_limits="off",
    )  # fmt: skip
    with running(settings) as server:
        yield server


@pytest.fixture
def page(chromium: Browser, editing: Running) -> Iterator[Page]:
    context = chromium.new_context(base_url=editing.url, reduced_motion="reduce")
    context.set_default_timeout(LIMIT_MS)
    complaints: list[str] = []
    page = context.new_page()
    page.on("console", lambda line: complaints.append(line.text) if line.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert complaints == []


def save(file: Path, text: str) -> None:
    """As many editors do: a new file takes the place of the old one."""
    beside = file.with_name(f".{file.name}.new")
    beside.write_text(text)
    beside.replace(file)


def test_a_saved_lesson_shows_and_what_was_typed_and_scrolled_to_stays(page: Page, folder: Path) -> None:
    file = folder / "lessons" / "demo" / "01-a.md"
    before = file.read_text()
    page.goto("/courses/demo/a")
    answer = page.locator(".question input[name=answer]")
    answer.fill("4 + 8")
    page.get_by_text("Paragraph 50 of many.").scroll_into_view_if_needed()
    place = box_of(page.get_by_text("Paragraph 50 of many."))
    save(
        file,
        before.replace("First paragraph.", "A first paragraph.\n\nAnother one.").replace("Paragraph 51", "Part 51"),
    )
    expect(page.get_by_text("Part 51 of many.")).to_be_visible()
    expect(page.get_by_text("A first paragraph.")).to_have_count(1)
    expect(page.get_by_text("Another one.")).to_have_count(1)
    expect(answer).to_have_value("4 + 8")
    now = box_of(page.get_by_text("Paragraph 50 of many."))
    assert abs(now["y"] - place["y"]) < 2
    save(file, before.replace("First paragraph.", "[Gone](09-gone.md)"))
    told = page.locator("[data-live]")
    expect(told).to_contain_text("01-a.md:4")
    expect(page.get_by_text("A first paragraph.")).to_have_count(1)
    for n in range(20):  # a burst, by several ways of saving
        (save if n % 2 else lambda path, text: path.write_text(text))(file, before.replace("First", f"Draft {n},"))
    expect(page.get_by_text("Draft 19, paragraph.")).to_have_count(1)
    expect(told.locator("p")).to_have_count(0)
    expect(answer).to_have_value("4 + 8")


def test_a_saved_exercise_shows_before_it_is_proved_and_its_cases_as_they_come(page: Page, folder: Path) -> None:
    exercise = folder / "exercises" / DOUBLED
    page.goto(f"/exercises/{DOUBLED}")
    page.locator(".cm-content").click()
    page.keyboard.type("# mine ")
    save(exercise / "statement.md", "Double every number of `x`, **at once**.\n")
    expect(page.locator(".statement strong")).to_have_text("at once")
    expect(page.locator(".cm-content")).to_contain_text("# mine")
    cases = (exercise / "cases.py").read_text()
    save(exercise / "cases.py", cases.replace("def sample_cases", "deff sample_cases", 1))
    expect(page.locator("[data-live]")).to_contain_text("cases.py:")
    save(exercise / "cases.py", cases + "\n")
    expect(page.locator("[data-live] p")).to_have_count(0)
    shutil.copytree(exercise, folder / "exercises" / "tripled")
    page.goto("/exercises")
    expect(page.locator("a[href='/exercises/tripled']")).to_have_count(1)
    shutil.rmtree(folder / "exercises" / "tripled")
    expect(page.locator("a[href='/exercises/tripled']")).to_have_count(0)
