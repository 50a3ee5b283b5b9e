"""Progress, the review and the way out, as someone goes through them."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select

from app.people.users import Login, User, hash_token
from app.quizzes.reviews import ReviewCard
from tests.browser.conftest import Open
from tests.browser.soundness import assert_sound
from tests.conftest import Running

LESSON = "/courses/positions/learned-embeddings"
COUNT = "#question-positions-learned-embeddings-parameter-count"


def answer(page: Page, typed: str) -> None:
    question = page.locator(COUNT)
    question.get_by_role("textbox").fill(typed)
    question.get_by_role("button", name="Answer").click()
    expect(page.locator(COUNT).get_by_role("status")).to_contain_text(re.compile("Right|Not yet"))


def person(site: Running, page: Page) -> int:
    token = next(one["value"] for one in page.context.cookies() if one["name"] == "lectern")
    with site.state.db.reading() as db:
        return db.scalars(select(Login.user_id).where(Login.token_hash == hash_token(token))).one()


def a_day_passes(site: Running, user_id: int) -> None:
    with site.state.db.writing() as db:
        for card in db.scalars(select(ReviewCard).where(ReviewCard.user_id == user_id)):
            card.due_at, card.last_at, card.added_at = (
                at - timedelta(days=1) for at in (card.due_at, card.last_at, card.added_at)
            )


@pytest.mark.extra
def test_what_was_missed_comes_back_the_next_day(visit: Open, site: Running) -> None:
    page = visit(LESSON, width=360, timezone_id="Asia/Kathmandu")
    answer(page, "7")
    page.goto("/progress")
    expect(page.locator("main")).to_contain_text("The next question comes back tomorrow.")
    expect(page.locator("main")).to_contain_text("Time zone: UTC+5:45.")
    expect(page.get_by_role("link", name="Continue")).to_have_attribute("href", LESSON)
    assert_sound(page, 360)
    a_day_passes(site, person(site, page))
    page.reload()
    page.get_by_role("link", name="1 question to review today").click()
    expect(page.locator("main")).to_contain_text("1 of 1 today")
    assert_sound(page, 360)
    answer(page, "8")
    expect(page.locator(".reviewed")).to_contain_text("Comes back tomorrow.")
    expect(page.locator(COUNT).get_by_role("status")).to_be_focused()
    assert_sound(page, 360)
    page.get_by_role("link", name="Finish").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("That is all for today.")
    assert_sound(page, 360)


def test_leaving_takes_what_the_browser_kept_along(visit: Open, site: Running) -> None:
    page = visit(LESSON, width=1280)
    answer(page, "7")
    user_id = person(site, page)
    page.goto("/me")
    expect(page.locator("main")).to_contain_text("You are a guest")
    assert_sound(page, 1280)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download everything").click()
    assert download.value.suggested_filename == "lectern.json"
    page.evaluate("localStorage.setItem('lectern:draft::x:numpy', 'mine'); localStorage.setItem('another', 'kept')")
    page.get_by_role("link", name="Delete my account").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Delete my account")
    assert_sound(page, 1280)
    page.get_by_label("Type “delete me”").fill("delete me")
    page.get_by_role("button", name="Delete my account and data").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Goodbye.")
    page.wait_for_function("() => !localStorage.getItem('lectern:draft::x:numpy')")
    assert page.evaluate("Object.keys(localStorage)") == ["another"]
    assert all(one["name"] != "lectern" for one in page.context.cookies())
    assert_sound(page, 1280)
    with site.state.db.reading() as db:
        assert db.get(User, user_id) is None
