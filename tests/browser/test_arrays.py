"""A wrong sample case as heat maps: read by hovering, by the keyboard, by touch, as a table, and without JavaScript."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import LOOKS, Open, box_of, until_heard
from tests.browser.soundness import assert_sound

EXERCISE = "learned-absolute-position-embedding"
# Right but for one number, of (2, 3, 4): the first sample has one sentence and is accepted.
ONE_WRONG = """import numpy as np
def learned_absolute_position_embedding(positions, table):
    out = table[positions.astype(int)]
    if len(out) == 2:
        out[1, 2, 0] = 5
    return out
"""
STRANGE = ONE_WRONG.replace("= 5", "= np.nan\n        out[1, 0, 1] = np.inf")
FLAT = ONE_WRONG.replace("return out", "return out.reshape(len(out), -1)")

PIXELS = """async (image) => {
  const picture = new Image();
  picture.src = image.getAttribute("href");
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.naturalWidth, picture.naturalHeight];
  const brush = canvas.getContext("2d");
  brush.drawImage(picture, 0, 0);
  return [...brush.getImageData(0, 0, canvas.width, canvas.height).data];
}"""


def submitted(visit: Open, code: str, **options: object) -> Page:
    page = visit(f"/exercises/{EXERCISE}", **options)
    send(page, code)
    return page


def send(page: Page, code: str) -> None:
    page.locator("#source").evaluate("(area, code) => { area.value = code; }", code)
    page.get_by_role("button", name="Submit").click()
    page.locator("#verdict .panel[data-state=finished]").wait_for()


def still_figure_in(page: Page) -> Locator:
    return page.locator("details[open] .arrays").first


def figure_in(page: Page) -> Locator:
    """Once its module has come: before that, keys and pointers go nowhere."""
    figure = still_figure_in(page)
    expect(figure).to_have_class(re.compile("is-live"))
    return figure


def cell(figure: Locator, kind: str, x: int, y: int) -> tuple[Locator, dict[str, float]]:
    """The map, and where its cell (x, y) of 4 by 3 lies in it."""
    svg = figure.locator(f"figure[data-kind={kind}] svg")
    svg.scroll_into_view_if_needed()
    box = box_of(svg)
    return svg, {"x": (x + 0.5) * box["width"] / 4, "y": (y + 0.5) * box["height"] / 3}


def test_it_opens_at_the_worst_element_with_axes_by_their_names(visit: Open) -> None:
    figure = figure_in(submitted(visit, ONE_WRONG))
    expect(figure.locator(".reading")).to_have_text(
        re.compile(r"\[1, 2, 0\]\s+expected 2.1\s+yours 5.0\s+difference \+2.9\s+the worst")
    )
    expect(figure.locator("[data-slice]")).to_have_text("[1, :, :]")
    for kind in ("expected", "yours", "difference"):
        one = figure.locator(f"figure[data-kind={kind}]")
        expect(one.locator("[data-name-across]")).to_have_text("d_model = 4")
        expect(one.locator("[data-name-down]")).to_have_text("T = 3")
        expect(one.locator("path.outline").last).to_have_attribute("d", re.compile("M"))
        expect(one.locator("path.pointer")).to_have_attribute("d", re.compile("M"))


def test_hovering_reads_one_place_in_all_three_maps(visit: Open) -> None:
    figure = figure_in(submitted(visit, ONE_WRONG))
    svg, place = cell(figure, "expected", 3, 1)
    svg.hover(position=place)
    reading = figure.locator(".reading")
    expect(reading).to_have_text(re.compile(r"\[1, 1, 3\]\s+expected 1.4\s+yours 1.4\s+difference 0"))
    expect(figure.get_by_text("the worst", exact=True)).to_be_hidden()
    places = figure.locator("rect.cursor").evaluate_all(
        "(all) => all.map((one) => [one.getAttribute('x'), one.getAttribute('y')])"
    )
    assert places == [["3", "1"]] * 6
    expect(figure.locator("figure[data-kind=difference] rect.cursor").last).to_be_visible()
    svg, place = cell(figure, "difference", 0, 2)
    svg.hover(position=place)
    expect(reading).to_contain_text("[1, 2, 0]")


def test_a_tap_reads_too(visit: Open) -> None:
    page = submitted(visit, ONE_WRONG, width=360, has_touch=True)
    figure = figure_in(page)
    svg, place = cell(figure, "yours", 2, 0)
    svg.tap(position=place)
    expect(figure.locator(".reading")).to_have_text(re.compile(r"\[1, 0, 2\]\s+expected 0.3\s+yours 0.3"))


def test_the_arrow_keys_move_the_cursor_and_what_it_reads_is_said(visit: Open) -> None:
    page = submitted(visit, ONE_WRONG)
    figure = figure_in(page)
    stage = figure.get_by_role("application")
    expect(stage).to_have_accessible_name(re.compile("expected, yours, difference"))
    stage.focus()
    expect(figure.locator("[data-said]")).to_be_empty()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    expect(figure.locator("[data-index]")).to_have_text("[1, 1, 1]")
    expect(figure.locator("[role=status]")).to_have_text(re.compile(r"\[1, 1, 1\] expected 1.2 yours 1.2"))
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    expect(figure.locator("[data-index]")).to_have_text("[1, 1, 3]")
    page.keyboard.press("Home")
    expect(figure.locator("[data-index]")).to_have_text("[1, 1, 0]")


def test_another_slice_is_drawn_in_the_servers_own_colours(visit: Open) -> None:
    figure = figure_in(submitted(visit, STRANGE))
    slider = figure.get_by_role("slider")
    expect(figure.locator(".slices")).to_contain_text("N = 1 of 2")
    images = figure.locator("svg image")
    drawn = [one.evaluate(PIXELS) for one in images.all()]
    strokes = figure.locator("path.strange").evaluate_all("(all) => all.map((one) => one.getAttribute('d'))")
    slider.fill("0")
    expect(figure.locator("[data-slice]")).to_have_text("[0, :, :]")
    expect(figure.locator(".slices")).to_contain_text("N = 0 of 2")
    expect(figure.locator("[data-index]")).to_have_text("[0, 0, 1]")
    expect(figure.locator("path.pointer").first).to_have_attribute("d", "")
    assert [one.evaluate(PIXELS) for one in images.all()] != drawn
    slider.fill("1")
    expect(figure.locator("path.pointer").first).not_to_have_attribute("d", "")
    assert [one.evaluate(PIXELS) for one in images.all()] == drawn
    again = figure.locator("path.strange").evaluate_all("(all) => all.map((one) => one.getAttribute('d'))")
    assert again == strokes


def test_any_two_axes_can_be_shown(visit: Open) -> None:
    figure = figure_in(submitted(visit, ONE_WRONG))
    figure.get_by_label("Down").select_option("N")
    expect(figure.locator("[data-slice]")).to_have_text("[:, 2, :]")
    expect(figure.locator("[data-name-down]").first).to_have_text("N = 2")
    figure.get_by_label("Across").select_option("N")
    expect(figure.get_by_label("Down")).to_have_value("2")
    expect(figure.locator("[data-name-down]").first).to_have_text("d_model = 4")
    expect(figure.locator(".reading")).to_contain_text("[1, 2, 0]")


def test_what_was_chosen_before_the_module_came_is_shown_when_it_comes(visit: Open) -> None:
    page = visit("/healthz")
    held: list[Route] = []
    page.route("**/js/arrays.js*", lambda route: held.append(route))
    page.goto(f"/exercises/{EXERCISE}")
    send(page, ONE_WRONG)
    figure = still_figure_in(page)
    figure.get_by_label("Down").select_option("N")
    figure.get_by_role("slider").fill("0")
    until_heard(page, lambda: held)
    held[0].continue_()
    expect(figure.locator("[data-slice]")).to_have_text("[:, 2, :]")
    figure.get_by_label("Down").select_option("T")
    expect(figure.locator("[data-slice]")).to_have_text("[0, :, :]")


def test_expected_and_yours_have_the_same_colour_for_the_same_number(visit: Open) -> None:
    figure = figure_in(submitted(visit, ONE_WRONG))
    expected, yours = (
        figure.locator(f"figure[data-kind={kind}] image").evaluate(PIXELS) for kind in ("expected", "yours")
    )
    wrong = slice(4 * 8, 4 * 9)  # the pixel of [2, 0]
    assert expected[wrong] != yours[wrong]
    del expected[wrong], yours[wrong]
    assert expected == yours
    expect(figure.locator(".legend").first).to_have_text(re.compile(r"0\.1\s+5"))


def test_the_slice_can_be_read_as_a_table(visit: Open) -> None:
    figure = figure_in(submitted(visit, ONE_WRONG))
    figure.get_by_text("As a table").click()
    table = figure.get_by_role("table")
    expect(table.get_by_role("columnheader")).to_have_text(["0", "1", "2", "3"])
    expect(table.get_by_role("rowheader")).to_have_text(["0", "1", "2"])
    wrong = table.locator(".differs")
    expect(wrong).to_have_text(re.compile(r"5.0\s+expected 2.1"))
    figure.get_by_role("slider").fill("0")
    expect(wrong).to_have_count(0)
    expect(table.get_by_role("rowheader")).to_have_text(["0", "1", "2"])


def test_a_folded_case_brings_its_maps_when_it_is_opened(visit: Open) -> None:
    page = submitted(visit, ONE_WRONG)
    case = page.locator("#verdict .case", has_text="out of order, repeated")
    expect(case.locator(".arrays")).to_have_count(0)
    case.locator("summary").first.click()
    expect(case.locator(".arrays.is-live [data-index]")).to_have_text("[1, 2, 0]")
    expect(case.get_by_role("link", name="heat maps")).to_have_count(0)


def test_arrays_of_different_shapes_stand_alone_at_their_own(visit: Open) -> None:
    page = submitted(visit, FLAT)
    figures = page.locator("details[open] .arrays")
    expect(figures).to_have_count(2)
    expect(page.locator("details[open] .figure")).to_contain_text("The shapes differ, (1, 3, 4) and (1, 12)")
    expect(figures.first.locator("figcaption")).to_have_text([re.compile("Expected")])
    expect(figures.last.locator("figcaption")).to_have_text([re.compile("Yours")])
    figures.last.get_by_role("application").focus()
    page.keyboard.press("End")
    expect(figures.last.locator(".reading")).to_have_text(re.compile(r"\[0, 11\]\s+is 2.4"))
    expect(figures.first.locator("[data-index]")).to_have_text("[0, 0, 0]")


def test_without_javascript_the_maps_stand_there_and_the_others_are_a_page_away(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}", java_script_enabled=False)
    page.locator("#source").fill(ONE_WRONG)
    page.get_by_role("button", name="Submit").click()
    page.locator(".panel[data-state=finished]").wait_for()
    figure = still_figure_in(page)
    expect(figure.locator("svg")).to_have_count(3)
    expect(figure.locator(".reading")).to_contain_text("[1, 2, 0]")
    expect(figure.locator(".slices")).to_be_hidden()
    figure.get_by_text("As a table").click()
    expect(figure.get_by_role("table").locator(".differs")).to_contain_text("expected 2.1")
    page.get_by_text("As NumPy prints it").first.click()
    expect(page.locator(".prints pre").first).to_be_visible()
    page.locator(".case", has_text="out of order, repeated").locator("summary").first.click()
    page.get_by_role("link", name="heat maps").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("out of order")
    expect(page.locator("svg[role=img]")).to_have_count(3)


@pytest.mark.extra
@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_it_is_sound_with_everything_open(visit: Open, width: int, theme: str) -> None:
    page = submitted(visit, STRANGE, width=width, theme=theme)
    page.evaluate("document.querySelectorAll('#verdict details').forEach((one) => { one.open = true; })")
    expect(page.locator("#verdict .arrays.is-live")).to_have_count(2 + 2 * 2)  # the inputs of both, too
    page.evaluate("document.querySelectorAll('#verdict .arrays details').forEach((one) => { one.open = true; })")
    assert_sound(page, width, theme)
    page.goto(page.locator("#verdict .panel header a").get_attribute("href") or "")
    expect(page.locator(".arrays.is-live")).not_to_have_count(0)
    assert_sound(page, width, theme)


def test_a_wrong_cases_inputs_are_maps_of_their_own(visit: Open) -> None:
    page = submitted(visit, ONE_WRONG)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    inputs = page.locator("#verdict details[open] > .as-maps")
    assert not [url for url in asked if "/inputs" in url], "they come when they are looked at"
    inputs.get_by_text("The inputs as heat maps").click()
    figures = inputs.locator(".arrays.is-live")
    expect(figures).to_have_count(2)
    expect(figures.locator("figcaption")).to_have_text([re.compile("positions"), re.compile("embedding_table")])
    table = figures.last
    expect(table.locator("[data-name-down]")).to_have_text("max_len = 5")
    expect(table.locator(".legend")).to_have_text(re.compile(r"0\.1\s+4\.4"))
    expect(figures.first.locator(".legend")).to_have_text(re.compile(r"0\s+2"))
    stage = table.get_by_role("application")
    expect(stage).to_have_accessible_name(re.compile("embedding_table"))
    svg = table.locator("svg")
    box = box_of(svg)
    svg.hover(position={"x": 2.5 * box["width"] / 4, "y": 3.5 * box["height"] / 5})
    expect(table.locator(".reading")).to_have_text(re.compile(r"\[3, 2\]\s+is 3.3"))
    expect(figures.first.locator("[data-index]")).to_have_text("[0, 0]")
    table.get_by_text("As a table").click()
    expect(table.get_by_role("rowheader")).to_have_count(5)


def test_a_samples_array_is_opened_in_the_statement(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    sample = page.locator(".samples > details").nth(1)
    sample.locator("summary").first.click()
    expect(sample.locator(".arrays")).to_have_count(0)
    sample.get_by_text("As a heat map").last.click()
    returned = sample.locator(".arrays.is-live")
    expect(returned.locator("figcaption")).to_contain_text("returns")
    returned.get_by_role("slider").fill("1")
    expect(returned.locator("[data-slice]")).to_have_text("[1, :, :]")
    expect(returned.locator("[data-name-across]")).to_have_text("d_model = 4")


def test_without_javascript_a_samples_array_is_a_page_away(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}", java_script_enabled=False)
    page.get_by_text("As a heat map").first.click()
    page.get_by_role("link", name="See embedding_table").click()
    expect(page.locator("svg[role=img]")).to_have_count(1)
    page.get_by_text("As a table").click()
    expect(page.get_by_role("cell").filter(has_text="4.4")).to_be_visible()
    page.get_by_role("link", name="Learned absolute position embedding").click()
    expect(page.locator("#source")).to_be_visible()
