"""Reading a lesson: the outline, focus, copying, notes, the remembered place, and paper."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.quiet import until_quiet
from tests.browser.soundness import assert_sound

LESSON = "/courses/positions/sinusoidal-encodings"


def scroll_to(page: Page, anchor: str) -> None:
    page.evaluate("(id) => document.getElementById(id).scrollIntoView({ block: 'start', behavior: 'instant' })", anchor)


def test_the_outline_marks_the_section_that_is_read(visit: Open) -> None:
    page = visit(LESSON)
    now = page.locator(".outline .wide a[aria-current=true]")
    for anchor in ("one-row-by-hand", "beyond-the-training-length", "the-two-formulas"):
        scroll_to(page, anchor)
        expect(now).to_have_attribute("href", f"#{anchor}")


def test_the_outline_is_shut_on_a_phone_and_works_there(visit: Open) -> None:
    page = visit(LESSON, width=360)
    assert page.locator(".outline .wide").is_hidden()
    link = page.locator(".outline .narrow a").first
    expect(link).to_be_hidden()
    page.locator(".outline summary").click()
    expect(link).to_be_visible()


@pytest.mark.extra
def test_focus_hides_all_but_the_text_and_keeps_the_place(visit: Open) -> None:
    page = visit(LESSON)
    button = page.get_by_role("button", name="Focus")
    expect(button).to_be_visible()
    scroll_to(page, "one-row-by-hand")
    before = top_of(page, "one-row-by-hand")
    page.keyboard.press("f")
    expect(page.locator(".running-head")).to_be_hidden()
    expect(page.locator(".outline")).to_be_hidden()
    expect(page.get_by_role("button", name="Leave focus")).to_be_in_viewport()
    assert abs(top_of(page, "one-row-by-hand") - before) < 40
    assert_sound(page, 1280)
    page.reload()
    expect(page.locator(".running-head")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.locator(".running-head")).to_be_visible()
    page.reload()
    expect(page.locator(".running-head")).to_be_visible()


def test_an_f_that_is_typed_stays_an_f(visit: Open) -> None:
    page = visit(LESSON)
    page.get_by_placeholder("such as 1024").first.press_sequentially("f")
    expect(page.locator(".running-head")).to_be_visible()


def test_a_listing_is_copied_and_it_is_said(visit: Open) -> None:
    page = visit(LESSON, permissions=["clipboard-read", "clipboard-write"])
    page.clock.install(time=0)
    page.clock.pause_at(1000)  # seconds: what is said goes by itself
    page.get_by_role("button", name="Copy this code").first.click()
    said = page.get_by_text("Code copied.")
    expect(said).to_be_attached()
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("pre.code").first.text_content()
    page.clock.run_for(5000)
    expect(said).to_have_count(0)


LESSONS = (
    "why-order-matters",
    "sinusoidal-encodings",
    "learned-embeddings",
    "rotary-and-alibi",
    "test-your-understanding",
)


@pytest.mark.extra
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_is_sound_at_twice_its_size(visit: Open, lesson: str, theme: str) -> None:
    page = visit(f"/courses/positions/{lesson}", width=640, height=400, device_scale_factor=2, theme=theme)
    until_quiet(page)
    page.evaluate(SETTLED)
    assert page.evaluate(HIDDEN) == []
    assert_sound(page, 640, theme)


@pytest.mark.parametrize("lesson", LESSONS)
def test_nothing_of_a_lesson_is_cut_off_without_a_sign(visit: Open, lesson: str) -> None:
    page = visit("about:blank")
    for width in (1920, 1280, 360):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(f"/courses/positions/{lesson}")
        page.evaluate("document.fonts.ready")
        page.evaluate(SETTLED)
        assert page.evaluate(HIDDEN) == [], width
        if width == 1920:
            assert page.locator(".prose > [data-scrolls]").count() == 0, "there is room for all of it"


# Two frames: observers of sizes have been told.
SETTLED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
# What is wider than its place, and neither scrolls with a shadow, a name and the keyboard, nor is a field.
HIDDEN = """() => [...document.querySelectorAll("article.lesson *")]
  .filter((one) => one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1)
  .filter((one) => getComputedStyle(one).overflowX !== "visible" && !one.closest("[aria-hidden], .out-of-sight"))
  .filter((one) => !(one.matches("[data-scrolls][role=group][aria-label]") && one.tabIndex === 0))
  .filter((one) => !one.matches(".cell-code.cut > textarea[aria-label]"))
  .map((one) => `${one.scrollWidth} > ${one.clientWidth}: ${one.outerHTML.slice(0, 100)}`)"""


@pytest.mark.extra
def test_the_place_is_offered_and_forgotten_once_the_lesson_is_read(visit: Open) -> None:
    page = visit(LESSON)
    assert page.locator(".continue").count() == 0
    scroll_to(page, "why-both-a-sine-and-a-cosine")
    page.goto("/")  # leaving is enough: what is on screen is kept then
    page.goto(LESSON)
    offer = page.get_by_role("link", name="Continue at")
    expect(offer).to_contain_text("Why both a sine and a cosine?")
    assert page.evaluate("scrollY") == 0
    assert_sound(page, 1280)
    offer.click()
    expect(page.locator("#why-both-a-sine-and-a-cosine")).to_be_in_viewport()
    expect(page.locator(".continue")).to_have_count(0)
    page.get_by_role("button", name="Mark as read").click()
    page.wait_for_url("**/learned-embeddings")
    page.goto(LESSON)
    expect(page.get_by_role("button", name="Focus")).to_be_visible()
    assert page.locator(".continue").count() == 0


@pytest.mark.parametrize("width", [1280, 360])
def test_the_keyboard_stops_at_what_scrolls_and_at_nothing_else_that_is_only_read(visit: Open, width: int) -> None:
    page = visit(LESSON, width=width)
    listings = page.locator("div.math, pre:not(.cell pre), div.table")
    scrolls = "one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1"
    page.wait_for_function(
        f"(all) => all.every((one) => ({scrolls}) === (one.tabIndex === 0))", arg=listings.element_handles()
    )
    reached = page.locator(":is(div.math, pre, div.table)[tabindex='0']")
    assert reached.count() if width == 360 else reached.count() < listings.count()
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.locator("div.math[tabindex='0']").first).to_be_attached()


def test_paper_shows_the_text_alone(visit: Open) -> None:
    page = visit(LESSON, theme="dark")
    page.emulate_media(media="print")
    for hidden in (".running-head nav", ".outline", ".foot", ".copy >> nth=0", ".mark-read", ".neighbours"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page.locator("pre.code").first).to_be_visible()
    assert "(https://arxiv.org/abs/1706.03762)" in page.locator(".footnotes a[href*='1706.03762']").evaluate(
        "(link) => getComputedStyle(link, '::after').content"
    )
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"


def top_of(page: Page, anchor: str) -> float:
    top: float = page.evaluate("(id) => document.getElementById(id).getBoundingClientRect().top", anchor)
    return top
