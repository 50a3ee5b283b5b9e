"""The gallery is alive and keeps nothing; a question's form and its text follow each other while its author types."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from app.people import accounts
from app.quizzes.answers import Answer
from app.settings import Settings
from app.teaching import gallery
from tests.browser.conftest import LOOKS, Open
from tests.browser.soundness import assert_sound
from tests.conftest import Running, running

COURSE = {path: content.decode() for path, content in gallery.gallery_course().files.items()}
COUNT = "/author/course/examples/questions/questions/numbers-in-a-table"
CLOZE = "/author/course/examples/questions/questions/size-of-a-table"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("authored")
    (data / "lessons").mkdir()
    (data / "exercises").mkdir()
    settings = Settings(
        workers=0, data=data, lessons=(data / "lessons",), exercises=(data / "exercises",), rate_limits="off"
    )
    with running(settings) as server:
        accounts.add_user(server.state.db, "author@example.org", "instructor", None)
        token = accounts.make_token(server.state.db, "author@example.org")
        with server.client(Authorization=f"Bearer {token}") as client:
            sent = {"base": None, "files": COURSE, "message": "Begun"}
            client.post("/api/v1/courses/examples/revisions", json=sent).raise_for_status()
        yield server


def signed_in(visit: Open, site: Running, path: str, width: int, theme: str) -> Page:
    page = visit("/sessions/new", width=width, theme=theme)
    token = accounts.make_token(site.state.db, "author@example.org")
    page.context.add_cookies([{"name": "lectern", "value": token, "url": site.url}])
    page.goto(path)
    return page


@pytest.mark.extra
@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_examples_stand_beside_their_source_and_are_alive(visit: Open, site: Running, width: int, theme: str) -> None:
    page = signed_in(visit, site, gallery.URL, width, theme)
    assert_sound(page, width, theme)
    for lesson in gallery.gallery_lessons().values():
        page.goto(lesson.url)
        assert_sound(page, width, theme)
    page.goto(f"{gallery.URL}/questions")
    question = page.locator("#question-living-examples-questions-shape-after-lookup")
    question.get_by_role("textbox").fill("[N, T, d_model]")
    expect(question.locator(".reading")).to_contain_text("(N, T, d_model)")
    question.get_by_role("button", name="Answer").click()
    expect(question.get_by_text("Right", exact=True)).to_be_visible()
    with site.state.db.reading() as db:
        assert db.query(Answer).count() == 0


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_form_and_text_follow_each_other(visit: Open, site: Running, width: int, theme: str) -> None:
    page = signed_in(visit, site, CLOZE, width, theme)
    assert_sound(page, width, theme)
    page.goto(COUNT)
    assert_sound(page, width, theme)
    text = page.locator("#question-text")
    page.get_by_label("Points").fill("3")
    expect(text).to_have_value(re.compile(r":points: 3\n"))
    text.fill(text.input_value().replace("max_len * d_model", "max_len * d_model + 1", 1))
    expect(page.get_by_label("Right answer", exact=True)).to_have_value("max_len * d_model + 1")
    text.fill(text.input_value().replace(":type: count", ":type: counts"))
    expect(page.get_by_text("There is no question type")).to_be_visible()
    page.get_by_label("Answers, one on each line").fill("393216\nmany")
    page.get_by_role("button", name="Try", exact=True).click()
    expect(page.locator("#try .tries li")).to_have_count(2)
    expect(page.locator("#try")).to_contain_text("Unreadable")
