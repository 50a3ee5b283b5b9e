"""What stands beside a lesson's text, what is wider than it, and how its kinds of blocks are told apart."""

from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from app.settings import Settings
from tests.browser.conftest import LOOKS, Open, box_of
from tests.browser.quiet import until_quiet
from tests.browser.soundness import SHIFTS, assert_sound
from tests.conftest import Running, running

WIDE = " + ".join(f"x_{{{n}}}" for n in range(30))
FILLER = "A paragraph that is here to be read.\n\n" * 12
LESSON = f"""---
title: Margins
---

## A heading

First.[^one] Second.[^two] Third.[^three]

:::{{margin}} A remark
It stands *beside* the paragraph after it.
:::

The paragraph after it.

{FILLER}

$$
y = {WIDE}
$$

| {" | ".join(f"a_long_heading_{n}" for n in range(20))} |
|{"---|" * 20}
| {" | ".join("1" for _ in range(20))} |

```python
short = 1
```

```python
x = [{", ".join(str(n) for n in range(60))}]
```

After the wide listing.[^four]

:::{{figure}} figures/line.svg
:alt: A line
:class: wide
A wide figure.
:::

:::{{figure}} figures/line.svg
:alt: A line
A figure.
:::

:::{{note}}
A note.
:::

:::{{tip}}
A tip.
:::

:::{{warning}} Mind the step
A warning.
:::

::::{{question}} q
:type: count
:answer: 2
How many?
:::{{explain}}
Two.
:::
::::

:::{{lab}} rotation
A lab.
:::

:::{{code-cell}} python
:name: first
x = 1
:::

:::{{code-cell}} python
:name: second
:continues:
x + 1
:::

:::{{exercise}} flax-learned-pos
:::

[^one]: The first note, of some length, so that it takes several lines in the margin and the next must make room for it.
[^two]: The second note, of some length too, so that it takes several lines in the margin.
[^three]: The third, with [a link](https://example.org).
[^four]: The fourth.
"""
PAGE = "/courses/margins/margins"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 100"><path d="M0 50h900" stroke="#777"/></svg>'
KINDS = {
    ".admonition.note": "Note",
    ".admonition.tip": "Tip",
    ".admonition.warning": "Warning",
    ".question": "Question",
    ".lab": "Lab",
    ".cell": "Code to run",
    ".to-exercise": "Exercise",
}


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that judges nothing, with a lesson that has some of everything."""
    lessons = tmp_path_factory.mktemp("lessons")
    figures = lessons / "margins" / "figures"
    figures.mkdir(parents=True)
    (figures / "line.svg").write_text(SVG)
    (lessons / "margins" / "course.toml").write_text('title = "Margins"\nblurb = "What stands beside"\n')
    (lessons / "margins" / "01-margins.md").write_text(LESSON)
    data: Path = tmp_path_factory.mktemp("margins") / "var"
    with running(Settings(data=data, workers=0, lessons=(lessons,), rate_limits="off")) as server:
        assert server.state.catalog.lesson("margins", "margins")[1].faults == ()
        yield server


def boxes(page: Page, selector: str) -> list[dict[str, float]]:
    found: list[dict[str, float]] = page.locator(selector).evaluate_all(
        """all => all.map((one) => { const { top, bottom, left, right, width } = one.getBoundingClientRect();
                                     return { top: top + scrollY, bottom: bottom + scrollY, left, right, width }; })"""
    )
    return found


@pytest.mark.extra
@pytest.mark.parametrize("width", [1920, 1280])
def test_notes_and_remarks_stand_beside_their_lines_and_never_over_anything(
    visit: Open, lesson: Running, width: int
) -> None:
    page = visit("about:blank", width=width)
    page.add_init_script(SHIFTS)
    page.goto(lesson.url + PAGE)
    expect(page.locator(".footnotes.beside")).to_be_attached()
    page.evaluate("document.fonts.ready")
    until_quiet(page)
    (text,) = boxes(page, ".prose")
    references, notes = boxes(page, ".footnote-ref"), boxes(page, ".footnotes li")
    (remark,) = boxes(page, ".prose > .margin")
    beside = [*notes, remark]
    assert all(one["left"] > text["right"] and one["right"] <= width for one in beside), "in the margin"
    assert abs(notes[0]["top"] - references[0]["top"]) < 20, "beside the line that refers to it"
    assert all(note["top"] >= reference["top"] - 1 for note, reference in zip(notes, references, strict=True))
    in_order = sorted(beside, key=lambda one: one["top"])
    assert all(above["bottom"] <= below["top"] for above, below in pairwise(in_order))
    for wide in boxes(page, ".prose > :is(.wide, .table, .math)"):
        assert not [one for one in beside if one["top"] < wide["bottom"] and one["bottom"] > wide["top"]], wide
    assert page.evaluate("shifted") == 0
    assert_sound(page, width)


@pytest.mark.extra
def test_notes_are_a_list_at_the_end_without_a_margin(visit: Open, lesson: Running) -> None:
    """Read aloud, on paper, on a phone, and without JavaScript."""
    wide = visit(lesson.url + PAGE)
    expect(wide.locator(".footnotes.beside")).to_be_attached()
    notes = wide.get_by_role("region", name="Notes")
    expect(notes.get_by_role("listitem")).to_have_count(4)
    wide.get_by_role("link", name="Note 3", exact=True).click()
    expect(wide.locator("#fn3")).to_be_in_viewport()
    expect(wide.get_by_role("link", name="Back to the text, note 3")).to_be_visible()
    wide.emulate_media(media="print")
    for page in (wide, visit(lesson.url + PAGE, java_script_enabled=False), visit(lesson.url + PAGE, width=360)):
        (last,) = boxes(page, ".prose > .to-exercise")
        (text,) = boxes(page, ".prose")
        for note in boxes(page, ".footnotes li"):
            assert note["top"] > last["bottom"]
            assert note["left"] < text["right"]


def test_on_a_phone_a_note_opens_below_its_line_and_closes_again(visit: Open, lesson: Running) -> None:
    page = visit(lesson.url + PAGE, width=360)
    reference = page.get_by_role("link", name="Note 3", exact=True)
    reference.click()
    note = page.get_by_role("complementary", name="Note 3")
    expect(note).to_be_focused()
    expect(note.get_by_role("link", name="a link")).to_be_visible()
    expect(reference).to_have_attribute("aria-expanded", "true")
    assert boxes(page, ".note-here")[0]["top"] < boxes(page, ".prose > .margin")[0]["top"]
    assert_sound(page, 360)
    reference.click()
    expect(note).to_have_count(0)


def test_a_remark_stands_in_the_text_where_there_is_no_margin(visit: Open, lesson: Running) -> None:
    page = visit(lesson.url + PAGE, width=360)
    (remark,), (text,) = boxes(page, ".prose > .margin"), boxes(page, ".prose")
    assert text["left"] <= remark["left"]
    assert remark["right"] <= text["right"]
    assert remark["bottom"] < boxes(page, ".prose > .margin + p")[0]["top"]


def test_what_is_wide_extends_into_the_margin_and_what_is_not_does_not(visit: Open, lesson: Running) -> None:
    page = visit(lesson.url + PAGE, width=1920)
    (text,) = boxes(page, ".prose")
    narrow, wide = boxes(page, "pre.code:not(.wide)")[0], boxes(page, "pre.wide")[0]
    assert abs(narrow["right"] - text["right"]) < 1
    assert wide["right"] > text["right"] + 200
    figures = boxes(page, ".prose > figure:not(.lab)")
    assert figures[0]["right"] > text["right"] + 200
    assert abs(figures[1]["right"] - text["right"]) < 1
    for one in boxes(page, ".prose > :is(.math, .table)"):
        assert one["right"] > text["right"] + 200


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_what_scrolls_shows_it_at_its_edge_and_is_reached_by_keyboard(
    visit: Open, lesson: Running, width: int, theme: str
) -> None:
    page = visit(lesson.url + PAGE, width=width, theme=theme)
    for selector, name in ((".math", "Formula"), (".table", "Table"), ("pre.code.wide", "Code in Python")):
        place = page.locator(f".prose > {selector}").first
        expect(place).to_have_attribute("data-scrolls", "")
        assert place.evaluate("one => one.tabIndex") == 0
        expect(place).to_have_role("group")
        expect(place).to_have_accessible_name(name)
        place.scroll_into_view_if_needed()
        begun = [edge(page, box_of(place), side) for side in ("left", "right")]
        assert begun[0] < 6 < 20 < begun[1], "more on the right"
        place.evaluate("one => { one.scrollLeft = one.scrollWidth; }")
        ended = [edge(page, box_of(place), side) for side in ("left", "right")]
        assert ended[1] < 6 < 20 < ended[0], "more on the left"
        place.focus()
        page.keyboard.press("Home")
    expect(page.locator("pre.code:not(.wide)").first).not_to_have_attribute("data-scrolls", "")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def edge(page: Page, box: Any, side: str) -> int:
    """How much the colour of a place's edge differs from the page's, of 255: in a row of it where there is no text."""
    x = box["x"] + 1 if side == "left" else box["x"] + box["width"] - 2
    here, beside = (pixel(page, at, box["y"] + 3) for at in (x, 2))
    return max(abs(a - b) for a, b in zip(here, beside, strict=True))


def pixel(page: Page, x: float, y: float) -> tuple[int, ...]:
    shot = page.screenshot(clip={"x": round(x), "y": round(y), "width": 1, "height": 1})
    return tuple(Image.open(BytesIO(shot)).convert("RGB").tobytes())


def test_kinds_of_blocks_are_told_apart_by_word_sign_and_edge(visit: Open, lesson: Running) -> None:
    page = visit(lesson.url + PAGE)
    assert_sound(page, 1280)
    light = _looks(page)
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    dark = _looks(page)
    assert {look["edge"] for look in light.values()} != {look["edge"] for look in dark.values()}


def _looks(page: Page) -> dict[str, dict[str, Any]]:
    """Of each kind of block, in the page's theme."""
    looks: dict[str, dict[str, Any]] = {}
    for selector, word in KINDS.items():
        looks[selector] = look = page.locator(f".prose > {selector}").first.evaluate(_LOOK)
        assert look["word"] == word
        assert look["contrast"]["word"] >= 4.5, (selector, look)
        assert min(look["contrast"]["edge"], look["contrast"]["sign"]) >= 3, (selector, look)
        assert look["edge_px"] >= 2
        assert look["mask"].startswith("url(")
    assert len({look["mask"] for look in looks.values()}) == len(KINDS), "a sign of its own for each"
    assert len({look["edge"] for look in looks.values()}) == len(KINDS), "and a colour"
    return looks


_LOOK = """(block) => {
  const isQuestion = block.matches(".question");
  const label = block.querySelector(".kind");
  const word = isQuestion ? getComputedStyle(block, "::before") : getComputedStyle(label);
  const sign = isQuestion ? getComputedStyle(block, "::after") : getComputedStyle(label, "::before");
  const own = getComputedStyle(block);
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = (colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const page = light(getComputedStyle(document.body).backgroundColor);
  const contrast = (colour) => (Math.max(light(colour), page) + 0.05) / (Math.min(light(colour), page) + 0.05);
  return {
    word: isQuestion ? word.content.slice(1, -1) : label.textContent,
    edge: own.borderLeftColor, edge_px: parseFloat(own.borderLeftWidth), mask: sign.maskImage,
    contrast: { word: contrast(word.color), edge: contrast(own.borderLeftColor), sign: contrast(sign.backgroundColor) },
  };
}"""
