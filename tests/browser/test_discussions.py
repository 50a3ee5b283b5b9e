"""Two students and an instructor in one discussion: asked, answered, withheld until solved, reported, hidden."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app.people import accounts
from app.settings import Settings
from tests.app.student import GATHER, send_accepted
from tests.browser.conftest import LOOKS, Open
from tests.browser.soundness import assert_sound
from tests.conftest import Running, running

SHOTS = os.environ.get("LECTERN_SHOTS")  # a folder for pictures of every page that is looked at
DESK = f"/exercises/{GATHER}"
LESSON = "/courses/positions/learned-embeddings"
CODE = "Take rows:\n\n```python\nreturn table[positions]\n```"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(Settings(workers=0, data=tmp_path_factory.mktemp("asked"), rate_limits="off")) as server:
        yield server


@pytest.fixture
def arrive(visit: Open, site: Running) -> Open:
    """Opens a page as somebody with an account made now."""

    def open_as(name: str, path: str, role: str = "student", **options: object) -> Page:
        email = f"{name}@example.org"
        accounts.add_user(site.state.db, email, role, None)
        token = accounts.make_token(site.state.db, email)
        return visit(path, extra_http_headers={"Authorization": f"Bearer {token}"}, **options)

    return open_as


def picture(page: Page, name: str, width: int, theme: str) -> None:
    if SHOTS:
        page.screenshot(path=str(Path(SHOTS) / f"discussion-{name}-{width}-{theme}.png"), full_page=True)


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_two_students_and_an_instructor(arrive: Open, site: Running, width: int, theme: str) -> None:
    def looked_at(page: Page, name: str) -> None:
        assert_sound(page, width, theme)
        picture(page, name, width, theme)

    look, which = {"width": width, "theme": theme}, f"{width} {theme}"
    ada, bo = f"Ada {which}", f"Bo {which}"
    # Ada asks at her desk, with what she wrote beside it.
    asker = arrive(f"ada{width}{theme}", DESK, **look)
    fold = asker.locator("details[data-discussion]")
    fold.locator("summary").first.click()
    asker.get_by_label("Ask a question").fill(f"Why does {which} come **first**?")
    asker.get_by_role("textbox", name="Your name here").fill(ada)
    asker.get_by_role("button", name="Preview").click()
    expect(asker.locator(".preview strong")).to_have_text("first")
    expect(asker.get_by_label("Ask a question")).to_be_focused()
    asker.get_by_role("button", name="Post the question").click()
    question = asker.locator("article.post", has_text=f"Why does {which} come first?")
    expect(question).to_be_focused()
    assert asker.url.endswith(DESK), "she never left the desk"
    looked_at(asker, "asked")
    # Bo replies on the discussion's own page, with code.
    helper = arrive(f"bo{width}{theme}", f"/discussions/exercise/{GATHER}", **look)
    topic = helper.locator(".topics > li", has_text=f"Why does {which} come first?")
    topic.get_by_text("Reply", exact=True).click()
    topic.get_by_label("Your reply").fill(CODE)
    topic.get_by_label("Your name here").fill(bo)
    topic.get_by_role("button", name="Post the reply").click()
    reply = helper.locator("article.post", has_text=bo)
    expect(reply.locator("pre.code")).to_have_text("return table[positions]\n")
    looked_at(helper, "replied")
    # Ada is told why she does not see the code, and sees it once she has solved the exercise.
    asker.reload()
    if width < 600:  # there the statement is folded from the second visit on
        asker.get_by_role("button", name="Show statement").click()
    fold.locator("summary").first.click()
    answer = asker.locator("article.post", has_text=bo)
    expect(answer).to_contain_text("Code, hidden until you have solved this exercise.")
    assert "table[positions]" not in answer.inner_html()
    looked_at(asker, "withheld")
    with site.client(
        Authorization=f"Bearer {accounts.make_token(site.state.db, f'ada{width}{theme}@example.org')}"
    ) as client:
        send_accepted(site, client)
    answer.get_by_role("button", name="This answers it").click()
    expect(answer.locator("pre.code")).to_have_text("return table[positions]\n")
    expect(answer).to_contain_text("answer")
    # She reports it by mistake, and the instructor looks at it.
    answer.get_by_text("Report", exact=True).click()
    answer.get_by_label("Why?").fill("Only a test")
    answer.get_by_role("button", name="Report this post").click()
    expect(asker.locator("article.post", has_text=bo)).to_contain_text("You reported this")
    staff = arrive(f"grace{width}{theme}", "/me", "instructor", **look)
    staff.get_by_role("link", name="Reports", exact=True).click()
    entry = staff.locator(".reported > li", has_text=bo)
    expect(entry).to_contain_text("Only a test")
    looked_at(staff, "queue")
    entry.get_by_label("Your reason").fill("Please be kind.")
    entry.get_by_role("button", name="Hide it").click()
    expect(staff.get_by_text("No report is open.")).to_be_visible()
    helper.reload()
    expect(helper.locator("article.post", has_text=bo)).to_contain_text("Your post is hidden. Please be kind.")
    looked_at(helper, "hidden")
    staff.goto(f"/discussions/exercise/{GATHER}")
    looked_at(staff, "staff")


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_a_mistake_is_reported_without_scripts(arrive: Open, visit: Open, width: int, theme: str) -> None:
    guest = visit(LESSON, width=width, theme=theme, java_script_enabled=False)
    guest.get_by_role("link", name="Report a mistake in this question").first.click()
    guest.get_by_label("What is wrong?").fill(f"The {width} is wrong in {theme}.")
    guest.get_by_role("button", name="Send").click()
    expect(guest.get_by_text("Thank you. Staff have your report.")).to_be_visible()
    expect(guest.locator(".reported")).to_contain_text("open")
    staff = arrive(f"anna{width}{theme}", "/reports", "instructor", width=width, theme=theme)
    entry = staff.locator(".reported > li", has_text=f"The {width} is wrong in {theme}.")
    assert_sound(staff, width, theme)
    entry.get_by_label("What you did").fill("Corrected.")
    entry.get_by_role("button", name="Resolve").click()
    expect(entry).to_have_count(0)
    guest.reload()
    expect(guest.locator(".reported")).to_contain_text("resolved: Corrected.")


def test_a_discussion_works_without_scripts(arrive: Open) -> None:
    page = arrive("eve", LESSON, java_script_enabled=False)
    fold = page.locator("details[data-discussion]").first
    fold.locator("summary").click()
    fold.get_by_role("link", name="Open the discussion").click()
    page.get_by_label("Ask a question").fill("Is this *so*?")
    page.get_by_role("textbox", name="Your name here").fill("Eve")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator(".preview em")).to_have_text("so")
    page.get_by_role("button", name="Post the question").click()
    expect(page.locator("article.post")).to_contain_text("Is this so?")
    page.get_by_role("link", name="Edit").click()
    page.get_by_label("Text").fill("It is so.")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("article.post")).to_contain_text("It is so.")
    page.locator("article.post").get_by_text("Delete", exact=True).click()
    page.get_by_role("button", name="Delete this post").click()
    expect(page.get_by_text("Nobody has asked anything yet.")).to_be_visible()


@pytest.mark.extra
@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_the_other_pages_are_sound(arrive: Open, visit: Open, width: int, theme: str) -> None:
    for path, name in (
        (f"/discussions/exercise/{GATHER}/mistakes/new", "mistake"),
        ("/me/reports", "own"),
        (LESSON, "lesson"),
        (DESK, "desk"),
    ):
        page = visit(path, width=width, theme=theme)
        assert_sound(page, width, theme)
        picture(page, name, width, theme)
    page = arrive(f"nina{width}{theme}", "/me/name", width=width, theme=theme)
    assert_sound(page, width, theme)
    page.goto(LESSON)
    fold = page.locator("details[data-discussion]").first
    fold.locator("summary").first.click()
    expect(fold.get_by_label("Ask a question")).to_be_visible()
    assert_sound(page, width, theme)
    picture(page, "in-lesson", width, theme)


def test_what_is_typed_stays_when_a_discussion_is_folded(arrive: Open) -> None:
    page = arrive("uma", DESK)
    fold = page.locator("details[data-discussion]")
    summary = fold.locator("summary").first
    summary.click()
    area = page.get_by_label("Ask a question")
    area.fill("Half a que")
    summary.click()
    summary.click()
    expect(area).to_have_value("Half a que")


@pytest.mark.complains("422")
def test_what_is_refused_is_told_and_not_lost(arrive: Open) -> None:
    page = arrive("ivy", DESK)
    page.locator("details[data-discussion] summary").first.click()
    page.get_by_label("Ask a question").fill("Why?")
    page.get_by_role("textbox", name="Your name here").fill("Staff")
    page.get_by_role("button", name="Post the question").click()
    expect(page.locator("[data-told]")).to_contain_text(re.compile("could be taken for staff"))
    expect(page.get_by_label("Ask a question")).to_have_value("Why?")
