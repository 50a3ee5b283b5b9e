"""Search by hand: the palette over any page, its keys, what assistive technology is told, and the page without it."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LOOKS, Open
from tests.browser.soundness import assert_sound


def test_a_slash_opens_the_palette_and_enter_leads_to_the_place(visit: Open) -> None:
    page = visit("/progress")
    page.keyboard.press("/")
    box = page.get_by_role("combobox")
    expect(box).to_be_focused()
    page.keyboard.type("row by hand")
    page.locator("[data-found][data-words='row by hand'] [role=option]").first.wait_for()
    options = page.get_by_role("option")
    expect(options.first).to_contain_text("One row by hand")
    expect(box).to_have_attribute("aria-expanded", "true")
    expect(box).to_have_attribute("aria-activedescendant", "palette-1")
    expect(options.first.locator("mark").first).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url("**/sinusoidal-encodings#one-row-by-hand")


def test_the_arrows_choose_and_go_round(visit: Open) -> None:
    page = opened(visit("/"), "Control+k", "embedding")
    options = page.get_by_role("option")
    count = options.count()
    assert count > 2
    for key, chosen in (("ArrowDown", 1), ("ArrowUp", 0), ("ArrowUp", count - 1), ("ArrowDown", 0)):
        page.keyboard.press(key)
        expect(options.nth(chosen)).to_have_attribute("aria-selected", "true")
        assert page.locator("[role=option][aria-selected=true]").count() == 1
        expect(page.get_by_role("combobox")).to_have_attribute("aria-activedescendant", f"palette-{chosen + 1}")


def test_escape_leaves_and_gives_the_focus_back(visit: Open) -> None:
    page = visit("/exercises")
    link = page.get_by_role("link", name="Search")
    link.click()
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#palette")).to_be_hidden()
    expect(link).to_be_focused()


def test_a_place_on_the_same_page_closes_the_palette(visit: Open) -> None:
    page = opened(visit("/courses/positions/sinusoidal-encodings"), "/", "two formulas")
    expect(page.locator("#palette").get_by_role("option").first).to_contain_text("The two formulas")
    page.keyboard.press("Enter")
    expect(page.locator("#palette")).to_be_hidden()
    expect(page.locator("#the-two-formulas")).to_be_in_viewport()


def test_nothing_found_is_said_and_enter_leads_to_the_page(visit: Open) -> None:
    page = visit("/")
    page.keyboard.press("/")
    page.keyboard.type('zebras" NEAR( *')
    expect(page.locator("[data-count]")).to_be_visible()
    page.keyboard.press("Control+a")
    page.keyboard.type("okapi")
    expect(page.get_by_text("No results.")).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=okapi")
    expect(page.get_by_role("heading", level=1)).to_have_text("Search")
    expect(page.get_by_role("searchbox")).to_have_value("okapi")


def test_a_slash_that_is_typed_stays_a_slash(visit: Open) -> None:
    page = visit("/courses/positions/sinusoidal-encodings")
    field = page.get_by_placeholder("such as 1024").first
    field.click()
    page.keyboard.type("8/2")
    expect(field).to_have_value("8/2")
    expect(page.locator("#palette")).to_be_hidden()
    page.goto("/exercises/learned-absolute-position-embedding")
    page.locator(".cm-content").click()
    page.keyboard.type("1/2")
    expect(page.locator("#palette")).to_be_hidden()
    expect(page.locator(".cm-content")).to_contain_text("1/2")


def test_nothing_that_was_looked_for_is_kept(visit: Open) -> None:
    page = opened(visit("/"), "/", "embedding")
    assert page.evaluate("[localStorage.length, sessionStorage.length]") == [0, 0]


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_the_palette_is_sound(visit: Open, width: int, theme: str) -> None:
    page = opened(visit("/", width=width, theme=theme), "/", "d_model")
    assert_sound(page, width, theme)


def test_without_javascript_the_page_searches(visit: Open) -> None:
    page = visit("/", java_script_enabled=False)
    page.get_by_role("link", name="Search").click()
    page.get_by_role("searchbox").fill("jnp pad clamp")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".results > li").first).to_be_visible()
    expect(page.locator("mark").first).to_be_visible()


def opened(page: Page, key: str, words: str) -> Page:
    page.keyboard.press(key)
    page.keyboard.type(words)
    # what the first letters found may be there before, and goes
    page.locator(f'[data-found][data-words="{words}"]').get_by_role("option").first.wait_for()
    return page
