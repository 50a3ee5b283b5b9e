"""A sitting, as someone takes it: two tabs, another device, no network, no script, no time left."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect
from sqlalchemy import update

from app.db import now
from app.people import accounts
from app.quizzes.answers import Answer
from app.quizzes.responses import SittingResponse
from app.quizzes.sittings import Sitting
from app.settings import Settings
from tests.browser.conftest import Open, first_only, lose_reply, until_heard
from tests.browser.soundness import assert_sound
from tests.conftest import Running, running
from tests.sittings import write_course

TIMED = "/courses/demo/timed"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A course of the tests' own, with a quiz that has a time limit; it judges no code."""
    data = tmp_path_factory.mktemp("sittings")
    (data / "exercises").mkdir()
    settings = Settings(
        workers=0, data=data, lessons=(write_course(data / "lessons"),), exercises=(data / "exercises",)
    )
    with running(settings) as server:
        yield server


def begin(visit: Open, quiz: str = TIMED, **options: object) -> Page:
    page = visit(quiz, **options)
    page.get_by_role("button", name=re.compile("^(Start|Again|Go on)")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Question 1 of 3")
    page.wait_for_load_state()  # with its script
    return page


def saved(page: Page) -> None:
    expect(page.locator("[data-saved]")).to_have_text("Saved")


def last_sitting(site: Running) -> Sitting:
    with site.state.db.reading() as db:
        return db.query(Sitting).order_by(Sitting.id.desc()).limit(1).one()


def answers_of(site: Running, sitting: Sitting) -> int:
    with site.state.db.reading() as db:
        return db.query(Answer).filter(Answer.sitting_id == sitting.id).count()


def test_a_sitting_is_taken_by_keyboard_and_reviewed(visit: Open) -> None:
    page = begin(visit)
    expect(page.get_by_role("timer")).to_contain_text("left")
    page.locator("input[type=text]").focus()
    page.keyboard.type("[N, T")
    expect(page.locator("[data-read]")).to_contain_text("Not readable yet")
    expect(page.locator(".places .unreadable")).to_have_text(re.compile("Question 1 ?not readable yet"))
    page.keyboard.type("]")
    expect(page.locator("[data-read]")).to_have_text("We read this as (N, T)")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name=re.compile("Question 1 ?answered, flagged"))).to_be_attached()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Question 2 of 3")
    page.locator("input[type=text]").fill("a dozen?")
    page.get_by_role("button", name="Question 3").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Question 3 of 3")
    expect(page.locator(".places .unreadable")).to_have_text(re.compile("Question 2 ?not readable yet"))
    page.get_by_text("this-is-right").click()
    saved(page)
    page.get_by_role("button", name="Finish").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Before you submit")
    expect(page.locator("main")).to_contain_text("2 of 3 questions are answered, 1 cannot be read.")
    expect(page.locator("main")).to_contain_text("One answer cannot be read.")
    expect(page.locator(".overview li").first).to_contain_text("flagged")
    assert_sound(page, 1280)
    page.get_by_role("button", name="Submit with 1 unreadable").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("2 of 3")
    review = page.locator(".reviewed")
    expect(review.nth(0)).to_contain_text("Right")
    expect(review.nth(0)).to_contain_text("secret-explanation")
    expect(review.nth(1)).to_contain_text("Not readable")
    expect(review.nth(2)).to_contain_text("secret-feedback")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Question 1 of 3")
    assert page.locator("input[type=text]").input_value() == ""


@pytest.mark.extra
@pytest.mark.complains("409")
def test_a_reload_a_second_tab_and_another_device_go_on_with_the_same_sitting(visit: Open, site: Running) -> None:
    account = {"email": "ada@example.org", "password": "a well kept secret"}
    accounts.add_user(site.state.db, account["email"], "student", account["password"])
    first = sign_in(visit("/sessions/new"), account)
    first.goto(TIMED)
    first.get_by_role("button", name="Start").click()
    first.locator("input[type=text]").fill("(N, T)")
    saved(first)
    first.reload()
    expect(first.locator("input[type=text]")).to_have_value("(N, T)")
    second = first.context.new_page()
    second.goto(first.url)
    second.locator("input[type=text]").fill("(T, N)")
    saved(second)
    expect(first.locator("input[type=text]")).to_have_value("(T, N)")
    expect(first.locator("[data-saved]")).to_have_text("Answered in another tab")
    elsewhere = sign_in(visit("/sessions/new", width=360), account)
    elsewhere.goto(TIMED)
    elsewhere.get_by_role("button", name="Continue").click()  # to the first that has no answer
    expect(elsewhere.get_by_role("heading", level=1)).to_have_text("Question 2 of 3")
    elsewhere.get_by_role("button", name="Previous").click()
    expect(elsewhere.locator("input[type=text]")).to_have_value("(T, N)")
    expect(elsewhere.get_by_role("timer")).to_contain_text(re.compile(r"(19|20):\d\d"))
    elsewhere.set_viewport_size({"width": 360, "height": 400})
    elsewhere.locator(".places").scroll_into_view_if_needed()
    expect(elsewhere.get_by_role("heading", level=1)).not_to_be_in_viewport()
    expect(elsewhere.get_by_role("timer")).to_be_in_viewport(ratio=1)
    elsewhere.locator("input[type=text]").fill("(elsewhere,)")
    saved(elsewhere)
    first.locator("input[type=text]").fill("(here,)")  # typed over what it never saw: both are kept, and it is told
    expect(first.get_by_role("alert")).to_contain_text("“(elsewhere,)”")
    expect(first.locator("[data-read]")).to_be_empty()  # it was said of neither
    assert_sound(first, 1280)
    first.get_by_role("link", name="use the other one").click()
    expect(first.locator("input[type=text]")).to_have_value("(elsewhere,)")
    assert last_sitting(site).number == 1


def sign_in(page: Page, account: dict[str, str]) -> Page:
    page.get_by_label("E-mail").fill(account["email"])
    page.get_by_label("Password").fill(account["password"])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_attached()
    return page


def test_two_tabs_that_submit_count_once(visit: Open, site: Running) -> None:
    first = begin(visit)
    first.locator("input[type=text]").fill("(N, T)")
    saved(first)
    first.get_by_role("button", name="Overview").click()
    expect(first.get_by_role("heading", level=1)).to_have_text("Before you submit")
    second = first.context.new_page()
    second.goto(first.url)
    second.get_by_role("button", name="Submit").dblclick(no_wait_after=True)
    first.get_by_role("button", name="Submit").click()
    for page in (first, second):
        expect(page.get_by_role("heading", level=1)).to_have_text("1 of 3")
    assert answers_of(site, last_sitting(site)) == 1


def put_off(site: Running, seconds: float) -> Sitting:
    sitting = last_sitting(site)
    with site.state.db.writing() as db:
        db.get_one(Sitting, sitting.id).deadline_at = now() + timedelta(seconds=seconds)
    return sitting


def test_at_the_deadline_the_page_saves_and_submits_itself(visit: Open, site: Running) -> None:
    page = begin(visit)
    page.clock.install()
    sitting = put_off(site, 299)
    page.reload()
    expect(page.locator("[data-time-said]")).to_have_text("Five minutes left.")
    expect(page.locator("[data-time-left][data-soon]")).to_have_count(0)  # of five: no warning to begin with
    page.locator("input[type=text]").press_sequentially("(N, T)")
    put_off(site, 0)
    page.clock.fast_forward(299_000)
    expect(page.get_by_role("heading", level=1)).to_have_text("1 of 3")
    assert answers_of(site, sitting) == 1
    assert last_sitting(site).submitted_at == last_sitting(site).deadline_at


@pytest.mark.complains("409")
def test_a_page_that_slept_past_the_deadline_is_told_what_counts(visit: Open, site: Running) -> None:
    page = begin(visit)
    page.locator("input[type=text]").fill("(N, T)")
    saved(page)
    put_off(site, -60)
    page.locator("input[type=text]").fill("(late,)")
    expect(page.locator("[data-saved]")).to_contain_text("The answers saved before then count")
    page.get_by_role("link", name="See the result").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("1 of 3")


def test_what_is_typed_before_the_script_is_there_is_saved_too(visit: Open) -> None:
    page = visit(TIMED)
    held: list[Route] = []
    page.route("**/js/sitting.js", lambda route: held.append(route))
    page.get_by_role("button", name="Start").click(no_wait_after=True)
    page.locator("input[type=text]").fill("(N, T)")
    until_heard(page, lambda: held)
    held[0].continue_()
    saved(page)


@pytest.mark.complains("ERR_INTERNET_DISCONNECTED", "Failed to load resource")
def test_without_a_network_answers_are_kept_and_sent_when_it_is_back(visit: Open, site: Running) -> None:
    page = begin(visit)
    context: BrowserContext = page.context
    context.set_offline(True)
    page.locator("input[type=text]").fill("(N, T)")
    expect(page.locator("[data-saved]")).to_contain_text("kept in this browser")
    page.get_by_role("button", name="Next").last.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Question 1 of 3")  # nothing is lost by going on
    context.set_offline(False)
    expect(page.locator("[data-saved]")).to_have_text("Saved again")
    context.set_offline(True)
    page.locator("input[type=text]").fill("(N, T, 3)")
    expect(page.locator("[data-saved]")).to_contain_text("kept in this browser")
    address = page.url
    page.close()  # as a battery does
    context.set_offline(False)
    again = context.new_page()
    again.goto(address)
    expect(again.locator("input[type=text]")).to_have_value("(N, T, 3)")
    # What the server has: it may be there already, sent with the closing of the page and let through in time.
    expect(again.locator("[name=base]")).to_have_value(re.compile(re.escape("(N, T, 3)")))
    with site.state.db.reading() as db:
        kept = db.query(SittingResponse).filter(
            SittingResponse.sitting_id == last_sitting(site).id, SittingResponse.place == 1
        )
        assert kept.one().given == "(N, T, 3)"


@pytest.mark.extra
@pytest.mark.complains("503", "401")
def test_what_is_typed_after_a_failure_is_saved_too_and_the_signed_out_are_told(visit: Open, site: Running) -> None:
    account = {"email": "grace@example.org", "password": "a well kept secret"}
    accounts.add_user(site.state.db, account["email"], "student", account["password"])
    page = sign_in(visit("/sessions/new"), account)
    # As a server that restarts. Before the question is there: a page that is just coming would not be held.
    page.route("**/answers/*", first_only(lambda route: route.fulfill(status=503)))
    page.goto(TIMED)
    page.get_by_role("button", name="Start").click()
    field = page.locator("input[type=text]")
    field.fill("(N")
    expect(page.locator("[data-saved]")).to_contain_text("kept in this browser")
    field.fill("(N, T)")
    expect(page.locator("[data-saved]")).to_have_text("Saved again")
    other = page.context.new_page()
    other.goto("/")
    other.get_by_role("button", name="Sign out").click()
    field.fill("(N, T, 3)")
    expect(page.locator("[data-saved]")).to_contain_text("You are signed out.")
    other.goto("/sessions/new")
    sign_in(other, account)
    expect(page.locator("[data-saved]")).to_have_text("Saved again")


@pytest.mark.complains("Failed to load resource", "409")
def test_an_answer_that_was_saved_without_its_reply_is_nobody_elses(visit: Open) -> None:
    page = begin(visit)
    page.route("**/answers/*", first_only(lose_reply))
    field = page.locator("input[type=text]")
    field.fill("(N")
    expect(page.locator("[data-saved]")).to_contain_text("kept in this browser")
    field.fill("(N, T)")
    expect(page.locator("[data-saved]")).to_have_text("Saved again")
    expect(page.locator("[data-conflict]")).to_be_hidden()
    page.reload()
    expect(field).to_have_value("(N, T)")


@pytest.mark.complains("409")
def test_no_script_is_needed(visit: Open, site: Running) -> None:
    page = begin(visit, width=360, java_script_enabled=False)
    page.locator("input[type=text]").fill("(N, T")
    page.get_by_role("button", name="Save and show how it is read").click()
    expect(page.locator("[data-read]")).to_contain_text("Not readable yet")
    expect(page.locator(".places .unreadable")).to_have_text(re.compile("Question 1 ?not readable yet"))
    page.locator("input[type=text]").fill("(N, T)")
    page.get_by_label("Flag").check()
    page.get_by_role("button", name="Question 3").click()
    expect(page.locator(".places .answered")).to_have_text(re.compile("Question 1 ?answered, flagged"))
    page.get_by_label("this-is-wrong").check()
    page.get_by_role("button", name="Previous").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Question 2 of 3")
    page.get_by_role("button", name="Overview").click()
    expect(page.locator(".lead")).to_have_text("2 of 3 questions are answered, 1 is not.")
    other = page.context.new_page()
    other.goto(f"/sittings/{last_sitting(site).id}/questions/1")
    page.get_by_role("link", name="Question 1").click()
    page.locator("input[type=text]").fill("(T, N)")
    page.locator("input[type=text]").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Question 2 of 3")
    other.locator("input[type=text]").fill("(N, T, 1)")
    other.locator("input[type=text]").press("Enter")
    expect(other.get_by_role("alert")).to_contain_text("(T, N)")
    other.locator("input[type=text]").press("Enter")
    expect(other.get_by_role("heading", level=1)).to_have_text("Question 2 of 3")
    other.get_by_role("button", name="Overview").click()
    other.get_by_role("button", name="Submit with 1 unanswered").click()
    expect(other.get_by_role("heading", level=1)).to_have_text("0 of 3")
    expect(other.locator(".reviewed").nth(2)).to_contain_text("Not right")


@pytest.mark.complains("409 (Conflict)")
def test_an_answer_is_text_wherever_it_is_shown(visit: Open, site: Running) -> None:
    """attack: markup, a word wider than the page, a NUL. defence: escaped, broken, kept as unreadable."""
    word = "<img src=x onerror=document.title='run'>{{7*7}}" + "W" * 300
    page = begin(visit, width=360)
    address = page.url
    page.locator("input[type=text]").fill(word)
    saved(page)
    page.locator("input[type=text]").evaluate(
        "field => { field.value = 'nul \\0'; field.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    saved(page)
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Question 2 of 3")
    page.goto(address)
    page.evaluate(
        """async (answer) => {
          const { sitting, slug } = document.getElementById("question").dataset;
          const revision = Number(document.getElementById("question").elements.revision.value);
          await fetch(`/api/v1/sittings/${sitting}/answers/${slug}`, {
            method: "PUT", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ answer, revision }),
          });
        }""",
        word,
    )
    page.locator("input[type=text]").fill("(N, T)")
    expect(page.locator("[data-conflict]")).to_contain_text("<img src=x")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("link", name="use the other one").click()
    page.get_by_role("button", name="Overview").click()
    page.get_by_role("button", name=re.compile("^Submit")).click()
    expect(page.get_by_text("Your answer: <img src=x")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert "run" not in page.title()
    assert not page.locator("main img").count()


def here(at: datetime, zone: str) -> str:
    local = at.astimezone(ZoneInfo(zone))
    return f"{local.day} {local:%B %Y, %H:%M}"


@pytest.mark.parametrize("zone", ["Asia/Kathmandu", "America/St_Johns"])
def test_times_are_the_readers_own(visit: Open, site: Running, zone: str) -> None:
    page = begin(visit, timezone_id=zone)
    sitting = last_sitting(site)
    page.goto(TIMED)
    begun = page.locator("time").first
    expect(begun).to_have_text(here(sitting.started_at, zone))
    at = datetime.fromisoformat(begun.get_attribute("datetime") or "")
    assert at == sitting.started_at.replace(microsecond=0)
    with site.client(Cookie="; ".join(f"{one['name']}={one['value']}" for one in page.context.cookies())) as client:
        assert here(sitting.started_at, zone) in client.get(TIMED).text, "the server writes it so"
    for month in (1, 7):  # before and after the clocks are changed, whenever this is read
        then = sitting.started_at.replace(month=month, day=15, hour=22)
        with site.state.db.writing() as db:
            db.execute(update(Sitting).where(Sitting.id == sitting.id).values(started_at=then))
        page.reload()
        expect(begun).to_have_text(here(then, zone))
    page.goto(f"/sittings/{sitting.id}")
    page.get_by_role("button", name="Submit").click()
    submitted = last_sitting(site).submitted_at
    assert submitted
    expect(page.locator("article")).to_contain_text(f"Submitted {here(submitted, zone)}.")


def test_without_a_script_times_are_those_of_utc(visit: Open, site: Running) -> None:
    page = begin(visit, java_script_enabled=False, timezone_id="Asia/Kathmandu")
    page.goto(TIMED)
    expect(page.locator("time").first).to_have_text(f"{here(last_sitting(site).started_at, 'UTC')} UTC")
