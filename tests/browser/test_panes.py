"""The desk's panes: one screen, lines that move and stay where they were left, and nothing jumps while it loads."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LOOKS, Open, box_of, source_of, write_code
from tests.browser.quiet import until_quiet
from tests.browser.soundness import assert_sound

EXERCISE = "learned-absolute-position-embedding"
SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


def test_each_pane_scrolls_by_itself_and_the_page_does_not(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    assert page.evaluate("document.documentElement.scrollHeight") <= 900
    for pane in ("#statement", "#results", ".editor"):
        box = box_of(page.locator(pane))
        assert box["y"] + box["height"] <= 901, pane
    page.locator("#statement").evaluate("(pane) => pane.scrollTo(0, 600)")
    expect(page.get_by_role("button", name="Submit")).to_be_in_viewport()


def test_a_line_is_moved_by_the_keyboard_and_stays_for_every_exercise(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    line = page.get_by_role("separator", name="Width of the statement")
    width = width_of(page)
    assert int(line.get_attribute("aria-valuenow") or 0) == round(width / 12.8)
    line.focus()
    page.keyboard.press("ArrowLeft")
    narrower = width_of(page)
    assert narrower < width
    page.keyboard.press("End")
    assert line.get_attribute("aria-valuenow") == line.get_attribute("aria-valuemax")
    page.keyboard.press("Home")
    assert width_of(page) < narrower
    left = width_of(page)
    page.goto("/exercises/flax-learned-pos")
    assert width_of(page) == left
    line.dblclick()
    assert width_of(page) == pytest.approx(width, abs=1)
    page.reload()
    assert width_of(page) == pytest.approx(width, abs=1)


def test_a_line_is_dragged(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    line = page.get_by_role("separator", name="Height of the editor")
    box = box_of(line)
    editor = box_of(page.locator(".editor"))
    page.mouse.move(box["x"] + 100, box["y"] + 1)
    page.mouse.down()
    page.mouse.move(box["x"] + 100, box["y"] - 99, steps=4)
    page.mouse.up()
    moved = box_of(page.locator(".editor"))
    assert moved["height"] == pytest.approx(editor["height"] - 100, abs=6)


@pytest.mark.parametrize("width", [1280, 360])
def test_nothing_moves_while_the_desk_loads(visit: Open, width: int) -> None:
    page = visit("/exercises", width=width)
    page.evaluate("localStorage.setItem('lectern:panes', JSON.stringify({ statement: 30, submit: 70 }))")
    page.add_init_script(SHIFTS)
    page.goto(f"/exercises/{EXERCISE}")
    page.locator(".cm-content").wait_for()
    until_quiet(page)
    assert page.evaluate("window.shifted") < 0.01


@pytest.mark.parametrize("script", [True, False])
def test_the_editor_has_the_box_of_the_textarea(visit: Open, script: bool) -> None:
    page = visit(f"/exercises/{EXERCISE}", java_script_enabled=script)
    box = box_of(page.locator(".editor" if script else "#source"))
    buttons = box_of(page.get_by_role("button", name="Submit"))
    assert 560 < box["height"] < 640
    assert box["y"] + box["height"] <= buttons["y"] < 900


def test_a_phone_has_the_buttons_in_reach_wherever_it_scrolls_and_they_cover_nothing_last(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}", width=360, height=740)
    submit = page.get_by_role("button", name="Submit")
    expect(submit).to_be_in_viewport()
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    expect(submit).to_be_in_viewport()
    last = box_of(page.get_by_role("button", name="System"))
    bar = box_of(page.locator(".actions"))
    assert last["y"] + last["height"] <= bar["y"]


def test_a_phone_shows_the_line_one_types_in_above_the_buttons(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}", width=360, height=500)
    write_code(page, "\n".join(f"line_{n} = {n}" for n in range(60)))
    page.keyboard.press("ControlOrMeta+End")
    page.keyboard.insert_text("\nlast = 1")
    line = box_of(page.locator(".cm-activeLine"))
    bar = box_of(page.locator(".actions"))
    assert line["y"] + line["height"] <= bar["y"] + 1


def test_f6_walks_from_pane_to_pane(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    page.keyboard.press("F6")
    expect(page.locator("#statement")).to_be_focused()
    page.keyboard.press("F6")
    expect(page.locator(".cm-content")).to_be_focused()
    page.keyboard.press("F6")
    expect(page.locator("#results")).to_be_focused()
    page.keyboard.press("Shift+F6")
    expect(page.locator(".cm-content")).to_be_focused()


@pytest.mark.parametrize(("chord", "word"), [("Shift+Enter", "Run"), ("Control+Shift+Enter", "Trace")])
def test_a_chord_runs_and_another_traces(visit: Open, chord: str, word: str) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    code = source_of(EXERCISE, "reference.py")
    write_code(page, code)
    page.keyboard.press(chord)
    panel = page.locator("#verdict .panel[data-state=finished]")
    panel.wait_for()
    expect(panel.locator("header .meta")).to_contain_text(f"{word} ")
    assert page.locator("#source").input_value() == code


@pytest.mark.extra
@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_the_desk_is_sound_with_everything_open(visit: Open, width: int, theme: str) -> None:
    page = visit(f"/exercises/{EXERCISE}", width=width, theme=theme)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert_sound(page, width, theme)
    page.evaluate("document.getElementById('keys').showPopover()")
    assert_sound(page, width, theme)


def test_the_editor_shows_25_lines_until_a_verdict_needs_room(visit: Open) -> None:
    page = visit("/exercises/flax-learned-pos")
    write_code(page, "\n".join(f"line_{n} = {n}" for n in range(1, 26)))
    page.keyboard.press("ControlOrMeta+Home")
    editor = box_of(page.locator(".editor"))
    last = box_of(page.locator(".cm-line", has_text="line_25"))
    assert last["y"] + last["height"] <= editor["y"] + editor["height"]
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator("#verdict .panel[data-state=finished]").wait_for()
    results = box_of(page.locator("#results"))
    assert results["height"] > 300
    page.add_init_script(SHIFTS)
    page.reload()
    page.locator("#verdict .panel[data-state=finished]").wait_for()
    assert box_of(page.locator("#results")) == results
    assert page.evaluate("window.shifted") < 0.01


def test_a_screens_statement_is_folded_for_all_exercises_by_button_and_key(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    page.get_by_role("button", name="Hide statement").click()
    expect(page.locator("#statement-text")).to_be_hidden()
    editor = box_of(page.locator(".editor"))
    assert editor["width"] > 1200
    assert_sound(page, 1280)
    page.add_init_script(SHIFTS)
    page.goto("/exercises/flax-learned-pos")
    expect(page.locator("#statement-text")).to_be_hidden()
    page.locator(".cm-content").click()
    assert page.evaluate("window.shifted") < 0.01
    page.keyboard.press("F8")
    expect(page.get_by_role("button", name="Hide statement")).to_be_visible()
    expect(page.locator(".cm-content")).to_be_focused()
    page.locator("#statement a").last.focus()
    page.keyboard.press("F8")
    expect(page.get_by_role("button", name="Show statement")).to_be_focused()
    page.keyboard.press("Enter")
    page.reload()
    expect(page.locator("#statement-text")).to_be_visible()


def test_a_phone_opens_with_the_statement_once_and_then_with_the_code(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}", width=360, height=740)
    expect(page.get_by_role("button", name="Hide statement")).to_be_in_viewport()
    page.add_init_script(SHIFTS)
    page.reload()
    page.locator(".cm-content").wait_for()
    expect(page.locator("#statement-text")).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_in_viewport()
    first = box_of(page.locator(".cm-line").nth(9))
    bar = box_of(page.locator(".actions"))
    assert first["y"] + first["height"] <= bar["y"], "ten lines of code above the buttons, without scrolling"
    assert page.evaluate("window.shifted") < 0.01
    assert_sound(page, 360)
    page.get_by_role("button", name="Show statement").click()
    page.reload()
    expect(page.locator("#statement-text")).to_be_visible()
    page.keyboard.press("F8")
    page.goto("/exercises/flax-learned-pos")
    expect(page.locator("#statement-text")).to_be_visible()
    page.goto(f"/exercises/{EXERCISE}#samples")
    expect(page.get_by_role("heading", name="Sample cases")).to_be_in_viewport()
    page.goto("/exercises")
    page.goto(f"/exercises/{EXERCISE}")
    expect(page.locator("#statement-text")).to_be_hidden()


@pytest.mark.extra
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_pages_of_the_desk_are_sound_at_twice_the_size(visit: Open, theme: str) -> None:
    """200 per cent of a window of 1280 by 800."""
    page = visit(f"/exercises/{EXERCISE}", width=640, height=400, device_scale_factor=2, theme=theme)
    write_code(page, "def learned_absolute_position_embedding(ids, table):\n    return table[ids]\n")
    assert_sound(page, 640, theme)
    page.get_by_role("button", name="Submit").click()
    page.locator("#verdict .panel[data-state=finished]").wait_for()
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert_sound(page, 640, theme)
    page.evaluate("document.getElementById('keys').showPopover()")
    assert_sound(page, 640, theme)
    number = page.locator("#verdict .panel header a").get_attribute("href") or ""
    here = f"/exercises/{EXERCISE}"
    for path in (here, number, "/exercises", f"{here}/submissions", f"{here}/samples/1/positions"):
        page.goto(path)
        assert_sound(page, 640, theme)


def width_of(page: Page) -> float:
    width: float = page.locator("#statement").evaluate("(pane) => pane.getBoundingClientRect().width")
    return width
