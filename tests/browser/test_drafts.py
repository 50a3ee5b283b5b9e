"""Drafts on the desk: saved as they are typed, found on another device, and never lost to another tab."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from app.web.errors import JudgeCannotRun
from tests.browser.conftest import LOOKS, Open, first_only, lose_reply, source_of, until_heard, write_code
from tests.browser.quiet import until_quiet
from tests.browser.soundness import assert_sound
from tests.conftest import Running
from tests.waiting import until

EXERCISE = "learned-absolute-position-embedding"
DESK = f"/exercises/{EXERCISE}"


def test_what_is_typed_is_saved_and_another_device_opens_with_it(visit: Open) -> None:
    page = visit(DESK)
    page.clock.install()
    write_code(page, "from_here = 1\n")
    expect(status(page)).to_have_text(re.compile("^Saved"))
    there = another_device(visit, page)
    assert source(there) == "from_here = 1\n"
    assert there.get_by_text("sent once").count() == 0
    page.clock.fast_forward(5000)
    no_copy_is_left(page)


def test_looking_and_taking_back_what_was_typed_makes_nobody(visit: Open) -> None:
    page = visit(DESK)
    starter = source(page)
    page.clock.install()
    page.locator(".cm-content").click()
    page.keyboard.type("x")
    page.keyboard.press("Backspace")
    assert source(page) == starter
    page.clock.fast_forward(1500)  # longer than a pause in typing
    until_quiet(page)
    assert "lectern" not in [cookie["name"] for cookie in page.context.cookies()], "nobody was made"


@pytest.mark.complains("Failed to load resource")
def test_offline_it_says_so_and_saves_by_itself_when_back(visit: Open) -> None:
    page = visit(DESK)
    write_code(page, "before = 1\n")
    expect(status(page)).to_have_text(re.compile("^Saved"))
    page.context.set_offline(True)
    write_code(page, "offline = 1\n")
    expect(status(page)).to_have_text("Kept in this browser, not saved yet.")
    page.context.set_offline(False)
    expect(status(page)).to_have_text(re.compile("^Saved"))
    expect(page.locator("[data-draft-said]")).to_have_text("Your code is saved again.")
    assert source(another_device(visit, page)) == "offline = 1\n"


@pytest.mark.complains("Failed to load resource")
def test_what_could_not_be_saved_is_there_after_a_reload_and_is_saved_then(visit: Open) -> None:
    page = visit(DESK)
    unsaved_until_a_reload(page, "kept = True\n")
    assert source(another_device(visit, page)) == "kept = True\n"


@pytest.mark.extra
def test_a_reload_beside_a_newcomers_first_save_finds_their_code(visit: Open) -> None:
    """The page that is on its way was made while they were nobody, and knows nothing of what is saved meanwhile."""
    page = visit(DESK)
    reloaded_beside_a_save(page, "kept = True\n")
    assert source(page) == "kept = True\n"
    expect(status(page)).to_have_text(re.compile("^Saved"))
    expect(conflict(page)).to_be_hidden()
    assert source(another_device(visit, page)) == "kept = True\n"


def test_a_reload_beside_a_save_finds_what_was_typed_after_a_submission(visit: Open) -> None:
    """The page that is on its way knows of the submission, and not of the first save after it."""
    page = visit(DESK)
    sent(page, "x = (\n")
    expect(status(page)).to_have_text(re.compile("^Saved"))
    reloaded_beside_a_save(page, "x = 2\n")
    assert source(page) == "x = 2\n"
    expect(status(page)).to_have_text(re.compile("^Saved"))
    expect(conflict(page)).to_be_hidden()
    write_code(page, "x = 3\n")
    expect(status(page)).to_have_text(re.compile("^Saved"))
    expect(conflict(page)).to_be_hidden()
    assert source(another_device(visit, page)) == "x = 3\n"


@pytest.mark.extra
def test_a_reload_beside_a_newcomers_first_submission_finds_their_code(visit: Open) -> None:
    """The page that is on its way was made while they were nobody, and knows nothing of the submission."""
    page = visit(DESK)
    reloaded_beside_a_submission(page, "kept = (\n")
    assert source(page) == "kept = (\n"
    expect(page.locator("#verdict .verdict")).to_contain_text("Invalid submission")
    expect(conflict(page)).to_be_hidden()
    page.reload()
    assert source(page) == "kept = (\n"
    expect(page.locator(".sent-lines li")).to_have_count(1)


@pytest.mark.extra
def test_a_reload_beside_a_second_submission_finds_their_code(visit: Open) -> None:
    """The page that is on its way knows of the first one alone."""
    page = visit(DESK)
    sent(page, "first = (\n")
    reloaded_beside_a_submission(page, "second = (\n")
    assert source(page) == "second = (\n"
    expect(conflict(page)).to_be_hidden()
    write_code(page, "third = 3\n")
    expect(status(page)).to_have_text(re.compile("^Saved"))
    expect(conflict(page)).to_be_hidden()
    assert source(another_device(visit, page)) == "third = 3\n"


@pytest.mark.extra
def test_a_submission_that_another_device_has_followed_is_not_brought_back(visit: Open) -> None:
    """The copy that is held for a page on its way is of a submission that this page knows, and more."""
    page = visit(DESK)
    sent(page, "first = (\n")
    there = another_device(visit, page)
    sent(there, "second = (\n")
    page.reload()  # at once: the copy is still held
    assert source(page) == "second = (\n"
    expect(conflict(page)).to_be_hidden()


@pytest.mark.complains("404")  # of the verdict that this tab showed last
@pytest.mark.parametrize("next_one", ["nobody yet", "an account"])
def test_what_a_guest_submitted_opens_on_no_other_persons_desk(visit: Open, next_one: str) -> None:
    """A computer that several people use: the guest left at once, and their copy in the browser with them."""
    page = visit(DESK)
    starter = source(page)
    write_code(page, "guests = (\n")
    page.get_by_role("button", name="Submit").click()
    expect(page.locator("#verdict .verdict")).to_contain_text("Invalid submission")
    page.goto("/users/new")
    assert page.evaluate("Object.keys(localStorage).some((key) => key.startsWith('lectern:draft'))")
    page.context.clear_cookies()
    if next_one == "an account":
        page.goto("/users/new")
        identify(page, "next-one@example.org")
    page.goto(DESK)
    assert source(page) == starter
    no_copy_is_left(page)


@pytest.mark.extra
@pytest.mark.complains("Failed to load resource", "409")
def test_what_was_saved_without_its_reply_is_no_other_version(visit: Open) -> None:
    page = visit(DESK)
    write_code(page, "before = 1\n")
    expect(status(page)).to_have_text(re.compile("^Saved"))
    page.route("**/drafts/*", first_only(lose_reply))
    write_code(page, "arrived = 1\n")
    expect(status(page)).to_have_text("Kept in this browser, not saved yet.")
    write_code(page, "and_more = 1\n")
    expect(status(page)).to_have_text(re.compile("^Saved"))
    expect(conflict(page)).to_be_hidden()
    assert source(another_device(visit, page)) == "and_more = 1\n"


@pytest.mark.complains("409")
def test_leaving_at_once_loses_nothing(visit: Open) -> None:
    """What is sent on leaving may arrive after the next page was made, which then begins from the revision before it
    and is refused once: it knows the other text as its own, and saves over it without a question."""
    page = visit(DESK)
    write_code(page, "first = 1\n")
    expect(status(page)).to_have_text(re.compile("^Saved"))
    write_code(page, "last_words = 1\n")
    page.goto("/exercises")
    page.goto(DESK)
    assert source(page) == "last_words = 1\n"
    expect(conflict(page)).to_be_hidden()
    write_code(page, "and_more = 1\n")
    expect(status(page)).to_have_text(re.compile("^Saved"))
    expect(conflict(page)).to_be_hidden()


def test_a_newcomers_draft_waits_for_their_submission(visit: Open) -> None:
    """Or each would make a guest, and the browser would be one of the two."""
    page = visit(DESK)
    order: list[str] = []
    held: list[Route] = []
    page.on("request", lambda request: order.append("draft") if request.method == "PUT" else None)
    page.on("requestfinished", lambda request: order.append("submitted") if request.method == "POST" else None)
    page.route(re.compile(f"{DESK}/submissions"), lambda route: held.append(route))
    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(days=1))  # no pause in typing until it is moved
    write_code(page, "x = (\n")
    page.get_by_role("button", name="Submit").click()
    write_code(page, "y = 2\n")
    until_heard(page, lambda: held)
    page.clock.fast_forward(2500)  # longer than a pause in typing
    order.append("sent on")
    held[0].continue_()
    page.clock.resume()
    expect(page.locator("#verdict .verdict")).to_contain_text("Invalid submission")
    expect(status(page)).to_have_text(re.compile("^Saved"))
    assert order == ["sent on", "submitted", "draft"]


@pytest.mark.extra
@pytest.mark.complains("409")
def test_two_tabs_keep_mine(visit: Open) -> None:
    one, two = two_versions(visit)
    conflict(one).get_by_role("button", name="Keep mine").click()
    expect(status(one)).to_have_text(re.compile("^Saved"))
    assert source(one) == "one = 2\n"
    expect(conflict(two)).to_contain_text("in another tab")
    assert source(two) == "two = 1\n"
    conflict(one).get_by_role("button", name="Bring it back").click()
    assert source(one) == "two = 1\n"


@pytest.mark.extra
@pytest.mark.complains("409")
def test_two_tabs_take_theirs_and_bring_mine_back(visit: Open) -> None:
    one, _ = two_versions(visit)
    conflict(one).get_by_role("button", name="Take theirs").click()
    assert source(one) == "two = 1\n"
    expect(status(one)).to_have_text(re.compile("^Saved"))
    conflict(one).get_by_role("button", name="Bring it back").click()
    assert source(one) == "one = 2\n"
    expect(status(one)).to_have_text(re.compile("^Saved"))
    one.reload()
    assert source(one) == "one = 2\n"


@pytest.mark.extra
@pytest.mark.complains("409")
def test_another_device_is_told_by_the_server_alone(visit: Open) -> None:
    here = visit(DESK)
    write_code(here, "here = 1\n")
    expect(status(here)).to_have_text(re.compile("^Saved"))
    there = another_device(visit, here)
    write_code(there, "there = 1\n")
    expect(status(there)).to_have_text(re.compile("^Saved"))
    expect(conflict(here)).to_be_hidden()
    write_code(here, "here = 2\n")
    told = re.compile(r"This was changed in another tab or on another device, \d\d:\d\d")
    expect(conflict(here)).to_contain_text(told)
    here.reload()  # the choice waits
    assert source(here) == "here = 2\n"
    conflict(here).get_by_role("button", name="Take theirs").click()
    assert source(here) == "there = 1\n"


@pytest.mark.extra
def test_what_was_sent_needs_no_draft(visit: Open) -> None:
    page = visit(DESK)
    page.clock.install()
    write_code(page, "x = (\n")
    page.get_by_role("button", name="Submit").click()
    expect(page.locator("#verdict .verdict")).to_contain_text("Invalid submission")
    expect(status(page)).to_have_text(re.compile("^Saved"))
    page.clock.fast_forward(5000)
    no_copy_is_left(page)
    assert source(another_device(visit, page)) == "x = (\n"


@pytest.mark.extra
@pytest.mark.complains("Failed to load resource")
def test_what_is_typed_after_a_submission_is_no_other_version_of_it(visit: Open) -> None:
    """It began from the submission of this very tab, also where it was not saved before the page was left."""
    page = visit(DESK)
    sent(page, "x = (\n")
    unsaved_until_a_reload(page, "x = 2\n")


@pytest.mark.extra
@pytest.mark.complains("409")
def test_the_two_versions_are_seen_side_by_side_before_one_is_chosen(visit: Open) -> None:
    one, _ = two_versions(visit)
    lines = conflict(one).get_by_role("region", name="Differences: the other version, then yours")
    expect(lines).to_be_hidden()
    conflict(one).get_by_role("button", name="See the difference").click()
    expect(lines.locator(".removed code")).to_have_text("two = 1")
    expect(lines.locator(".added code")).to_have_text("one = 2")
    expect(conflict(one).get_by_role("button", name="Keep mine")).to_be_visible()  # the choice is still to be made
    assert source(one) == "one = 2\n"


def test_what_was_sent_comes_back_into_the_editor_as_one_step(visit: Open) -> None:
    page = visit(DESK)
    sent(page, "first = (\n")
    sent(page, "second = (\n")
    write_code(page, "third = 1\n")
    opened_history(page)
    page.get_by_role("link", name=re.compile("Restore")).last.click()
    expect(page.locator(".cm-content")).to_contain_text("first = (")
    assert source(page) == "first = (\n"
    page.locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+z")
    assert source(page) == "third = 1\n"
    page.keyboard.press("ControlOrMeta+Shift+Z")
    assert source(page) == "first = (\n"
    expect(status(page)).to_have_text(re.compile("^Saved"))
    page.locator("[data-asides] summary").click()
    page.get_by_role("button", name="Bring it back").last.click()
    assert source(page) == "third = 1\n", "what Restore took the place of was set aside, too"


@pytest.mark.extra
def test_two_that_are_ticked_are_compared_on_a_page_of_their_own(visit: Open) -> None:
    page = visit(DESK)
    sent(page, "kept = 0\nfirst = (\n")
    sent(page, "kept = 0\nsecond = (\n")
    opened_history(page)
    for box in page.locator(".sent-lines input[name=pick]").all():
        box.check()
    page.get_by_role("button", name="Compare the two selected").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What changed")
    expect(page.locator(".removed code")).to_have_text("first = (")
    expect(page.locator(".added code")).to_have_text("second = (")
    expect(page.locator(".block.same .left code")).to_have_text("kept = 0")


@pytest.mark.extra
@pytest.mark.complains("409")
@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_a_choice_a_history_and_a_difference_are_sound(visit: Open, width: int, theme: str) -> None:
    one, _ = two_versions(visit, width=width, theme=theme)
    conflict(one).get_by_role("button", name="See the difference").click()
    expect(conflict(one).locator(".differences")).to_be_visible()
    expect(conflict(one).locator(".differences")).to_contain_text("+ lines in yours")
    assert_sound(one, width, theme)
    conflict(one).get_by_role("button", name="Take theirs").click()
    expect(conflict(one).get_by_role("button", name="Bring it back")).to_be_visible()
    for code in ("x = (\n", source_of(EXERCISE, "mistakes/ids-ignored.py")):
        sent(one, code)
    opened_history(one)
    one.locator("[data-asides] summary").click()
    assert_sound(one, width, theme)
    one.goto(f"{DESK}/submissions")
    assert_sound(one, width, theme)
    for box in one.locator(".sent-lines input[name=pick]").all():
        box.check()
    one.get_by_role("button", name="Compare the two selected").click()
    expect(one.get_by_role("heading", level=1)).to_have_text("What changed")
    assert_sound(one, width, theme)


def identify(page: Page, email: str) -> None:
    """In the form to sign up, or to sign in."""
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password").fill("a wide enough password")
    page.locator("main form button").click()


def no_copy_is_left(page: Page) -> None:
    """Soon: a page that was on its way when it was saved may need it."""
    has_none = "Object.keys(localStorage).every((key) => !key.startsWith('lectern:draft'))"
    until(lambda: page.evaluate(has_none), "a copy is left", look_seconds=0.2)


def reloaded_beside_a_save(page: Page, code: str) -> None:
    """The page that comes was made before the code was saved, and the page that is left hears of its saving."""
    held: list[Route] = []
    page.route("**/drafts/*", lambda route: held.append(route))
    page.route(re.compile(f"{DESK}$"), held_until_heard(page, held))
    write_code(page, code)
    until_heard(page, lambda: held)
    page.unroute("**/drafts/*")
    page.reload()
    page.unroute(re.compile(f"{DESK}$"))


def reloaded_beside_a_submission(page: Page, code: str) -> None:
    """The page that comes was made before the code was submitted, and the page that is left hears of its verdict."""
    held: list[Route] = []
    page.route("**/submissions", lambda route: held.append(route))
    page.route(re.compile(f"{DESK}$"), held_until_heard(page, held))
    write_code(page, code)
    page.get_by_role("button", name="Submit").click()
    until_heard(page, lambda: held)
    page.unroute("**/submissions")
    page.reload()
    page.unroute(re.compile(f"{DESK}$"))


def held_until_heard(page: Page, held: list[Route]) -> Callable[[Route], None]:
    """For the page that comes: what is held goes to the server after it was made, and it comes after the page that is
    left has heard of that, and has noted it beside its copy. (While a page is left it cannot be asked itself.)"""
    witness = page.context.new_page()
    witness.goto("/healthz")
    copies = "Object.keys(localStorage).filter((key) => key.startsWith('lectern:draft'))"

    def late(route: Route) -> None:
        reply = route.fetch()
        held[0].continue_()
        until(lambda: witness.evaluate(f"{copies}.every((key) => JSON.parse(localStorage[key]).isSaved)"))
        route.fulfill(response=reply)

    return late


def unsaved_until_a_reload(page: Page, code: str) -> None:
    """Saving fails; the page that is loaded then has the code, and saves it without a question."""
    expect(status(page)).not_to_have_text(re.compile("Saving|not saved"))  # of what was there before
    page.route("**/drafts/*", lambda route: route.abort())
    write_code(page, code)
    expect(status(page)).to_have_text("Kept in this browser, not saved yet.")
    page.unroute("**/drafts/*")
    page.reload()
    assert source(page) == code
    expect(status(page)).to_have_text(re.compile("^Saved"))
    expect(conflict(page)).to_be_hidden()


def sent(page: Page, code: str) -> None:
    """Submitted, and its verdict there."""
    link = page.locator("#verdict .panel header a")
    before = link.get_attribute("href") if link.count() else ""
    write_code(page, code)
    page.get_by_role("button", name="Submit").click()
    page.locator(f'#verdict .panel[data-state=finished] header a:not([href="{before}"])').wait_for()


def opened_history(page: Page) -> None:
    page.get_by_text("History", exact=True).click()
    expect(page.locator(".sent-lines li")).to_have_count(2)


def two_versions(visit: Open, **options: Any) -> tuple[Page, Page]:
    """Two tabs of one browser: the first was changed while it could not hear of what the second saved."""
    one = visit(DESK, **options)
    write_code(one, "one = 1\n")
    expect(status(one)).to_have_text(re.compile("^Saved"))
    two = one.context.new_page()
    two.goto(DESK)
    write_code(two, "two = 1\n")
    expect(status(two)).to_have_text(re.compile("^Saved"))
    expect(conflict(one)).to_contain_text(re.compile(r"This was changed in another tab, \d\d:\d\d"))
    one.bring_to_front()
    write_code(one, "one = 2\n")
    expect(status(one)).to_have_text("Kept in this browser. Choose one of the two versions.")
    return one, two


def another_device(visit: Open, page: Page) -> Page:
    """The same person, another browser."""
    there = visit("/")
    cookies = [{key: one[key] for key in ("name", "value", "domain", "path")} for one in page.context.cookies()]
    context: BrowserContext = there.context
    context.add_cookies(cookies)
    there.goto(DESK)
    return there


def status(page: Page) -> Locator:
    return page.locator("[data-draft]")


def conflict(page: Page) -> Locator:
    return page.locator("[data-conflict]")


def source(page: Page) -> str:
    return str(page.locator("#source").input_value())


@pytest.mark.extra
def test_a_run_of_an_older_submission_sets_the_draft_aside(visit: Open) -> None:
    page = visit(DESK)
    sent(page, "older = (\n")
    older = (page.locator("#verdict .panel header a").get_attribute("href") or "").split("/")[-1]
    write_code(page, "draft = 1\n")
    expect(status(page)).to_have_text(re.compile("^Saved"))
    page.goto(f"{DESK}?from={older}")
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator("#verdict .panel[data-state=finished]").wait_for()
    page.get_by_text("History", exact=True).click()
    page.locator("[data-asides] summary").click()
    page.get_by_role("button", name="Bring it back").last.click()
    assert source(page) == "draft = 1\n"


def test_a_reset_is_taken_back_after_a_reload_too(visit: Open) -> None:
    page = visit(DESK)
    starter = source(page)
    write_code(page, "mine = 1\n")
    expect(status(page)).to_have_text(re.compile("^Saved"))
    with page.expect_response("**/drafts/*"):
        page.get_by_role("button", name="Reset code").click()
    expect(status(page)).to_have_text(re.compile("^Saved"))
    page.reload()
    assert source(page) == starter
    page.get_by_text("History", exact=True).click()
    page.locator("[data-asides] summary").click()
    page.get_by_role("button", name="Bring it back").last.click()
    assert source(page) == "mine = 1\n"


@pytest.mark.extra
@pytest.mark.complains("409")
def test_two_tabs_set_aside_without_losing_each_others(visit: Open) -> None:
    one, two = two_versions(visit)
    conflict(one).get_by_role("button", name="Take theirs").click()  # “one = 2” is set aside
    write_code(one, "one = 3\n")
    expect(status(one)).to_have_text(re.compile("^Saved"))
    two.bring_to_front()
    two.get_by_role("button", name="Reset code").click()  # “two = 1” is set aside
    one.bring_to_front()
    one.reload()
    kept = one.evaluate(
        "Object.keys(localStorage).filter((key) => key.startsWith('lectern:aside')).map((key) => localStorage[key])"
    )
    assert all(words in "".join(kept) for words in ("one = 2", "two = 1")), kept


@pytest.mark.extra
@pytest.mark.complains("503", "409")
def test_what_could_not_be_judged_is_no_other_version(
    visit: Open, site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is kept as a draft, of which this page hears nothing."""
    page = visit(DESK)
    write_code(page, "before = 1\n")
    expect(status(page)).to_have_text(re.compile("^Saved"))
    cannot = JudgeCannotRun("It cannot.", "Wait.")
    monkeypatch.setattr(site.state.judge, "why_not", lambda: cannot)
    page.get_by_role("button", name="Submit").click()
    expect(page.locator("#verdict")).to_contain_text("cannot judge")
    monkeypatch.undo()
    with page.expect_response("**/drafts/*"):
        write_code(page, "after = 1\n")
    expect(status(page)).to_have_text(re.compile("^Saved"))
    expect(conflict(page)).to_be_hidden()


@pytest.mark.extra
@pytest.mark.complains("401", "Failed to load resource")
def test_what_is_typed_after_signing_out_elsewhere_is_nobody_elses(visit: Open) -> None:
    page = visit("/users/new")
    identify(page, "signed-out@example.org")
    page.goto(DESK)
    write_code(page, "mine = 1\n")
    expect(status(page)).to_have_text(re.compile("^Saved"))
    page.context.clear_cookies()
    write_code(page, "mine = 2\n")
    expect(status(page)).to_contain_text("You are signed out")
    assert page.context.cookies() == [], "nobody was made"
    page.get_by_role("button", name="Submit").click()
    expect(page.locator("#verdict")).to_contain_text("signed in as another person")
    assert page.context.cookies() == []
    assert source(page) == "mine = 2\n"


@pytest.mark.extra
def test_back_shows_what_was_saved_since(visit: Open) -> None:
    """Not the page as it once came, which the browser may have kept."""
    page = visit(DESK)
    write_code(page, "saved = 1\n")
    expect(status(page)).to_have_text(re.compile("^Saved"))
    no_copy_is_left(page)
    page.goto("/exercises")
    page.go_back()
    expect(page.locator(".cm-content")).to_contain_text("saved = 1")
    write_code(page, "saved = 2\n")
    expect(status(page)).to_have_text(re.compile("^Saved"))
    expect(conflict(page)).to_be_hidden()


@pytest.mark.extra
def test_signing_in_costs_nobody_the_draft_that_they_had(visit: Open) -> None:
    """One key at a desk where they were not signed in is newer than an evening's work at home."""
    home = visit("/users/new")
    identify(home, "at-home@example.org")
    home.goto(DESK)
    write_code(home, "an_evening = 1\n")
    expect(status(home)).to_have_text(re.compile("^Saved"))
    lab = visit(DESK)
    write_code(lab, "x")
    expect(status(lab)).to_have_text(re.compile("^Saved"))
    lab.goto("/sessions/new")
    identify(lab, "at-home@example.org")
    lab.goto(DESK)
    assert source(lab) == "x"
    lab.get_by_text("History", exact=True).click()
    lab.locator("[data-asides] summary").click()
    lab.get_by_role("button", name="Bring it back").last.click()
    assert source(lab) == "an_evening = 1\n"
    expect(status(lab)).to_have_text(re.compile("^Saved"))
    assert source(another_device(visit, lab)) == "an_evening = 1\n"
