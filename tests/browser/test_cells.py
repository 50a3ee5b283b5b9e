"""Cells of the shipped lessons, as a reader runs, changes and resets them."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.soundness import assert_sound

LESSON = "/courses/positions/learned-embeddings"


def rewrite(page: Page, name: str, code: str) -> None:
    cell = page.locator(f"#cell-{name}")
    if cell.locator("textarea").is_visible():
        cell.locator("textarea").click()
    cell.locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(code)


def test_a_cell_is_run_changed_and_reset_by_keyboard(visit: Open) -> None:
    page = visit("/courses/positions/why-order-matters")
    cell = page.locator("#cell-order-blind")
    rewrite(page, "order-blind", "print('mine')\n6 * 7")
    page.keyboard.press("Control+Enter")
    expect(cell.get_by_role("status")).to_contain_text("Ran in")
    expect(cell.locator(".prints")).to_have_text("mine")
    expect(cell.locator(".cell-value pre")).to_have_text("42")
    cell.get_by_role("link", name="Reset").click()
    expect(cell.locator(".cm-content")).to_contain_text("permutation")
    expect(cell.get_by_role("link", name="Reset")).to_be_hidden()
    page.keyboard.press("ControlOrMeta+z")
    expect(cell.locator(".cm-content")).to_contain_text("mine")


def test_tab_leaves_a_cell_as_everywhere_in_a_text(visit: Open) -> None:
    page = visit("/courses/positions/why-order-matters")
    cell = page.locator("#cell-order-blind")
    cell.locator("textarea").focus()
    expect(cell.locator(".cm-content")).to_be_focused()
    page.keyboard.press("Tab")
    expect(cell.get_by_role("button", name="Run")).to_be_focused()


def test_an_errors_line_is_marked_until_the_code_changes(visit: Open) -> None:
    page = visit(LESSON)
    cell = page.locator("#cell-past-the-end")
    rewrite(page, "past-the-end", "x = 1\n\nx / 0")
    page.keyboard.press("Control+Enter")
    expect(cell.get_by_role("status")).to_contain_text("ZeroDivisionError on line 3")
    expect(cell.locator(".cell-mark")).to_be_visible()
    cell.locator("a.line").click()
    page.keyboard.insert_text("x / 2")
    expect(cell.locator(".cell-mark")).to_have_count(0)
    cell.get_by_role("button", name="Run").click()
    expect(cell.locator(".cell-value pre")).to_have_text("0.5")


@pytest.mark.extra
def test_a_cell_runs_after_the_edited_text_above_it_and_says_when_that_has_changed(visit: Open) -> None:
    page = visit("/courses/positions/why-order-matters")
    above, cell = page.locator("#cell-order-blind"), page.locator("#cell-order-seen")
    stale = cell.get_by_text("A cell above has changed. Run again.")
    expect(stale).to_be_hidden()
    expect(cell.get_by_text("Runs after the cell above")).not_to_contain_text("author")
    rewrite(page, "order-blind", "base = 20")
    expect(stale).to_be_visible()
    expect(above.get_by_text("A cell above has changed")).to_have_count(0)
    expect(cell.get_by_role("button", name="Run")).to_have_accessible_description(
        "A cell above has changed. Run again."
    )
    above.get_by_role("link", name="Reset").click()
    expect(stale).to_be_hidden()
    rewrite(page, "order-blind", "base = 20")
    rewrite(page, "order-seen", "base + 1")
    cell.get_by_role("button", name="Run").click()
    expect(cell.locator(".cell-value pre")).to_have_text("21")
    expect(stale).to_be_hidden()
    rewrite(page, "order-blind", "base = 1 / 0")
    expect(stale).to_be_visible()
    cell.get_by_role("button", name="Run").click()
    expect(cell.locator(".cell-error")).to_contain_text("The error is in the cell order-blind")
    expect(stale).to_be_hidden()
    assert_sound(page, 1280)


@pytest.mark.extra
def test_a_figure_stands_on_white_paper_in_both_themes(visit: Open) -> None:
    page = visit("/courses/positions/sinusoidal-encodings")
    cell = page.locator("#cell-ripples")
    rewrite(page, "ripples", "import matplotlib.pyplot as plt\nplt.plot([1, 2])")
    page.keyboard.press("Control+Enter")
    figure = cell.get_by_role("img", name="Figure 1 of the cell")
    expect(cell.get_by_role("status")).to_contain_text("Ran in")
    expect(figure).to_be_visible()
    corner = """(image) => {
        const canvas = new OffscreenCanvas(1, 1).getContext("2d");
        canvas.fillStyle = getComputedStyle(image).backgroundColor;
        canvas.fillRect(0, 0, 1, 1);
        canvas.drawImage(image, 0, 0);
        return [...canvas.getImageData(0, 0, 1, 1).data];
    }"""
    background = "getComputedStyle(document.body).backgroundColor"
    themes = {page.evaluate(background)}
    assert figure.evaluate(corner) == [255, 255, 255, 255], "its black numbers are read on white"
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    themes.add(page.evaluate(background))
    assert figure.evaluate(corner) == [255, 255, 255, 255], "in the dark too"
    assert len(themes) == 2


def test_a_figure_stands_under_its_cell_with_words_for_it(visit: Open) -> None:
    page = visit("/courses/positions/sinusoidal-encodings")
    cell = page.locator("#cell-ripples")
    cell.get_by_role("button", name="Run").click()
    expect(cell.get_by_role("status")).to_contain_text("Ran in")
    figure = cell.get_by_role("img", name="Figure 1 of the cell: dot product over distance k")
    expect(figure).to_be_visible()
    assert figure.evaluate("image => image.complete && image.naturalWidth > 300")


@pytest.mark.parametrize("width", [360, 1280])
def test_a_cell_keeps_its_place_when_an_editor_grows_over_it(visit: Open, width: int) -> None:
    page = visit(LESSON, width=width)
    cell = page.locator("#cell-past-the-end")
    page.evaluate("document.fonts.ready")
    height = cell.evaluate("cell => cell.offsetHeight")
    cell.locator("textarea").focus()
    expect(cell.locator(".cm-content")).to_be_visible()
    assert abs(cell.evaluate("cell => cell.offsetHeight") - height) <= 2
    assert page.evaluate("document.documentElement.scrollWidth") <= width
