"""The way through, where only a browser shows it: what is announced, lists that change in place, and the flag."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import LOOKS, Open, source_of, write_code
from tests.browser.quiet import until_quiet
from tests.browser.soundness import assert_sound

GATHER = "learned-absolute-position-embedding"
DESK = f"/exercises/{GATHER}"
QUIZ = "/courses/positions/test-your-understanding"


def send(page: Page, button: str) -> None:
    """Until its own verdict is there: that of what was sent before may be shown still."""
    with page.expect_response(lambda reply: reply.request.method == "POST" and reply.url.endswith("/submissions")):
        page.get_by_role("button", name=button, exact=True).click()
    page.locator("#verdict:not([aria-busy]) .panel[data-state=finished]").wait_for()


@pytest.mark.extra
def test_a_run_is_neither_shown_nor_announced_as_accepted_and_a_submission_leads_on(visit: Open) -> None:
    page = visit(DESK)
    write_code(page, source_of(GATHER, "reference.py"))
    send(page, "Run")
    verdict, announced = page.locator("#verdict"), page.locator("[data-announce]")
    expect(verdict.locator(".verdict")).to_have_text(re.compile("Samples pass"))
    expect(announced).to_have_text(re.compile("^Samples pass.*Not submitted"))
    expect(verdict).not_to_contain_text("Accepted")
    tone = verdict.locator(".verdict").evaluate("(one) => getComputedStyle(one).color")
    assert_sound(page, 1280)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(verdict.locator(".verdict")).to_have_text(re.compile("Accepted"))
    expect(announced).not_to_contain_text("Not submitted")
    assert verdict.locator(".verdict").evaluate("(one) => getComputedStyle(one).color") != tone
    verdict.get_by_role("link", name="Read on in Learned embeddings").click()
    expect(page.locator(f"#exercise-{GATHER}")).to_be_in_viewport()
    expect(page.locator(f"#exercise-{GATHER}")).to_contain_text("solved")
    page.locator(f"#exercise-{GATHER}").get_by_role("link").click()
    page.get_by_role("link", name="Learned embeddings").first.click()
    expect(page).to_have_url(re.compile(f"learned-embeddings#exercise-{GATHER}"))


@pytest.mark.parametrize("scripts", [True, False])
def test_a_history_changes_from_submissions_to_runs(visit: Open, scripts: bool) -> None:
    page = visit(DESK, java_script_enabled=scripts)
    if scripts:
        write_code(page, "x = 1")
        send(page, "Submit")
        send(page, "Run")
        page.get_by_text("History", exact=True).click()
    else:
        for button in ("Submit", "Run"):
            page.goto(DESK)
            page.get_by_role("button", name=button, exact=True).click()
        page.goto(f"{DESK}/submissions")
    expect(page.locator(".sent-lines a[href^='/submissions/']")).to_have_text([re.compile("^Submission")])
    page.get_by_role("link", name="Runs and traces").click()
    expect(page.locator(".sent-lines a[href^='/submissions/']")).to_have_text([re.compile("^Run")])
    expect(page.locator(".lists [aria-current]")).to_have_text("Runs and traces")
    if scripts:
        expect(page.get_by_role("link", name="Runs and traces")).to_be_focused()
        send(page, "Run")  # the list that was chosen is the one that is kept up to date
        expect(page.locator(".sent-lines li")).to_have_count(2)


def test_a_list_that_comes_late_does_not_replace_the_one_that_was_chosen(visit: Open) -> None:
    page = visit(DESK)
    write_code(page, "x = 1")
    send(page, "Submit")
    late: list[Route] = []
    submissions = re.compile(rf"{GATHER}/submissions$")
    page.route(submissions, lambda route: late.append(route))
    with page.expect_request(submissions):
        page.get_by_text("History", exact=True).click()
    page.get_by_role("link", name="Runs and traces").click()
    expect(page.locator(".lists [aria-current]")).to_have_text("Runs and traces")
    with page.expect_response(submissions):
        late[0].continue_()
    until_quiet(page)
    expect(page.locator(".lists [aria-current]")).to_have_text("Runs and traces")


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_the_flag_is_a_switch_of_its_own_and_the_keyboard_reaches_it(visit: Open, width: int, theme: str) -> None:
    page = visit(QUIZ, width=width, theme=theme)
    page.get_by_role("button", name=re.compile("Start")).first.click()
    page.wait_for_url("**/sittings/**")
    flag = page.get_by_role("checkbox", name="Flag for later")
    expect(flag).to_have_css("opacity", "0")
    flag.focus()
    page.keyboard.press("Space")
    expect(flag).to_be_checked()
    expect(page.locator(".places .flagged")).to_have_count(1)
    assert_sound(page, width, theme)


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_home_and_practice_are_sound_for_someone_who_has_begun(visit: Open, width: int, theme: str) -> None:
    page = visit("/courses/positions/learned-embeddings", width=width, theme=theme)
    count = page.locator("#question-positions-learned-embeddings-parameter-count")
    count.get_by_role("textbox").fill("999983")
    count.get_by_role("textbox").press("Enter")
    expect(count.get_by_role("status")).to_contain_text("Not yet")
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Welcome back.")
    assert_sound(page, width, theme)
    page.goto("/review")
    page.get_by_role("link", name="Practise now").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Practice")
    assert_sound(page, width, theme)
    page.locator("main").get_by_role("textbox").fill("12")
    page.get_by_role("button", name="Answer").click()
    expect(page.get_by_role("link", name="Next question")).to_be_visible()
    assert_sound(page, width, theme)
