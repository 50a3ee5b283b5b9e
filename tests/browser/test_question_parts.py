"""Matching and cloze in the browser: filled in a sitting, saved at once, sound on a phone and in the dark."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from app.settings import Settings
from tests.browser.conftest import LOOKS, Open
from tests.browser.soundness import assert_sound
from tests.conftest import Running, running

QUESTIONS = r"""
::::{question} pairs
:type: matching
Match each value with its shape.
- The ids of a batch of sequences => `(N, T)`
- The embeddings, one for each id => `(N, T, d_model)`
- The loss => `()`
- => `(N, d_model)`
:::{explain}
As the lesson says.
:::
::::

::::{question} gaps
:type: cloze
A table of 512 rows of 768 holds [[total]] numbers, each of them is [[kind]], and one row has the shape [[shape]].
:::{gap} total
:type: count
:points: 2
:answer: 512 * 768
:mistake: 512 + 768 -> Multiply.
:::
:::{gap} kind
:type: choice
- [x] trained -- Yes.
- [ ] computed from a formula, as in the paper -- No.
:::
:::{gap} shape
:type: shape
:answer: (768,)
:::
:::{explain}
As the lesson says.
:::
::::

::::{question} formulas
:type: matching
Match each name with its formula.
- The mean => $\frac{1}{n} \sum_i x_i$
- The root of the mean square => $\sqrt{\frac{1}{n} \sum_i x_i^2}$
:::{explain}
As the lesson says.
:::
::::
"""
SHOTS = os.environ.get("LECTERN_SHOTS")  # a folder for pictures of every page that is looked at


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = tmp_path_factory.mktemp("parts")
    course = data / "lessons" / "parts"
    course.mkdir(parents=True)
    (course / "course.toml").write_text('title = "Parts"\nblurb = "Of the tests."\n')
    (course / "01-lesson.md").write_text(f"---\ntitle: A lesson\nminutes: 3\n---\n{QUESTIONS}")
    (course / "02-quiz.md").write_text(f"---\ntitle: A quiz\nkind: quiz\nattempts: 9\n---\n{QUESTIONS}")
    (data / "exercises").mkdir()
    settings = Settings(
        workers=0, data=data, lessons=(data / "lessons",), exercises=(data / "exercises",), rate_limits="off"
    )
    with running(settings) as server:
        yield server


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_parts_are_filled_in_a_sitting_and_reviewed(visit: Open, width: int, theme: str) -> None:
    page = visit("/courses/parts/quiz", width=width, theme=theme)

    def looked_at(name: str) -> None:
        assert_sound(page, width, theme)
        if SHOTS:
            page.screenshot(path=str(Path(SHOTS) / f"parts-{name}-{width}-{theme}.png"), full_page=True)

    page.get_by_role("button", name="Start").click()
    page.get_by_label("The ids of a batch").select_option("(N, T)")
    page.get_by_label("The loss").select_option("(N, d_model)")
    expect(page.locator("[data-saved]")).to_have_text("Saved")
    expect(page.locator("[data-read]")).to_contain_text("2 of 3 matched")
    looked_at("matching")
    page.reload()
    expect(page.get_by_label("The loss").locator("option:checked")).to_have_text("(N, d_model)")
    page.get_by_role("button", name="Next").click()
    page.get_by_label("Gap 1 of 3").fill("512*768")
    page.get_by_label("Gap 2 of 3").select_option("trained")
    page.get_by_label("Gap 3 of 3").fill("(768,")
    expect(page.locator("[data-read]")).to_contain_text("Gap 3")
    page.get_by_label("Gap 3 of 3").fill("768")
    expect(page.locator("[data-read]")).to_contain_text("[1] 512 × 768 = 393,216 [3] (768,)")
    looked_at("cloze")
    page.get_by_role("button", name="Next").click()
    page.get_by_label("The mean", exact=True).select_option("A")
    looked_at("formulas")
    page.get_by_role("button", name="Finish").click()
    page.get_by_role("button", name=re.compile("Submit")).click()
    expect(page.locator("#question-2 .mark").first).to_contain_text("Right")
    expect(page.locator("#question-1 .parts")).to_contain_text("right answer")
    looked_at("review")


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_parts_are_answered_in_a_lesson(visit: Open, width: int, theme: str) -> None:
    page = visit("/courses/parts/lesson", width=width, theme=theme)
    pairs = page.locator("#question-parts-lesson-pairs")
    for label, text in (("The ids", "(N, T)"), ("The embeddings", "(N, T, d_model)"), ("The loss", "(N, d_model)")):
        pairs.get_by_label(label).select_option(text)
    pairs.get_by_role("button", name="Answer").click()
    expect(pairs.locator(".told")).to_contain_text("2 of the 3 are matched right.")
    gaps = page.locator("#question-parts-lesson-gaps")
    gaps.get_by_label("Gap 1").fill("1280")
    page.reload()
    expect(gaps.get_by_label("Gap 1")).to_have_value("1280")
    gaps.get_by_label("Gap 2").select_option("trained")
    gaps.get_by_label("Gap 3").fill("768")
    gaps.get_by_role("button", name="Answer").click()
    expect(gaps.locator(".told")).to_contain_text("Gap 1: Multiply.")
    assert_sound(page, width, theme)
    if SHOTS:
        page.screenshot(path=str(Path(SHOTS) / f"parts-lesson-{width}-{theme}.png"), full_page=True)
