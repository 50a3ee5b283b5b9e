"""A connection that is lost and found: one quiet line, nothing jumps, and what could not be sent is sent once."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open, box_of, first_only, source_of, write_code
from tests.browser.quiet import until_quiet

EXERCISE = "learned-absolute-position-embedding"
pytestmark = pytest.mark.complains("ERR_INTERNET_DISCONNECTED", "Failed to load resource", "net::ERR")


def test_a_line_comes_and_goes_with_the_connection_and_moves_nothing(visit: Open) -> None:
    page = visit("/courses/positions")
    before = box_of(page.locator("main"))
    page.context.set_offline(True)
    expect(line(page)).to_contain_text("No connection. Your work is kept")
    assert box_of(page.locator("main")) == before
    page.context.set_offline(False)
    expect(line(page)).to_be_empty()


def test_what_could_not_be_sent_is_sent_by_itself_and_once(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    write_code(page, source_of(EXERCISE, "reference.py"))
    keys = sent_keys(page)
    page.context.set_offline(True)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("alert")).to_contain_text("is sent automatically")
    page.context.set_offline(False)
    expect(page.locator("#verdict .verdict")).to_contain_text("Accepted")
    assert len(keys) == 2
    assert keys[0] == keys[1]
    page.goto("/progress")
    expect(page.locator("li", has_text="Learned absolute position embedding")).to_contain_text("sent once")


@pytest.mark.extra
def test_a_newcomer_who_reloads_before_the_answer_finds_a_verdict(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    write_code(page, source_of(EXERCISE, "reference.py"))
    keys = sent_keys(page)
    page.route("**/submissions", first_only(lambda route: None))  # the answer, and with it who they are, never comes
    with page.expect_request("**/submissions"):
        page.get_by_role("button", name="Submit").click()
    page.reload()
    expect(page.locator("#verdict .verdict")).to_contain_text("Accepted")
    assert len(keys) == 2
    assert keys[0] == keys[1]
    page.reload()
    expect(page.locator("#verdict .verdict")).to_contain_text("Accepted")
    assert len(keys) == 2, "what was answered is not sent again"


def test_typing_meanwhile_calls_it_off(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    write_code(page, source_of(EXERCISE, "reference.py"))
    keys = sent_keys(page)
    page.context.set_offline(True)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("alert")).to_contain_text("is sent automatically")
    page.locator(".cm-content").click()
    page.keyboard.type("#")
    expect(page.get_by_role("alert")).to_contain_text("It was not sent")
    expect(line(page)).to_contain_text("No connection")
    page.context.set_offline(False)
    expect(line(page)).to_be_empty()
    until_quiet(page)
    assert len(keys) == 1
    assert page.locator("#verdict .panel").count() == 0


def line(page: Page) -> Any:
    return page.locator("[data-connection]")


def sent_keys(page: Page) -> list[str | None]:
    """The idempotency key of each submission as it is sent, from now on."""
    keys: list[str | None] = []
    page.on(
        "request",
        lambda request: (
            keys.append(request.headers.get("idempotency-key"))
            if request.method == "POST" and request.url.endswith("/submissions")
            else None
        ),
    )
    return keys
