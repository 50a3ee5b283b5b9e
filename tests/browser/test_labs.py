"""Labs in a real browser: what they read out is what the server's formulas give, by pointer, keyboard and slider."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from app.content.labs import (
    alibi_slopes,
    order_blindness,
    position_heat_map,
    position_similarity,
    rotation,
    train_a_table,
)
from app.content.labs.training import train
from tests.browser.conftest import Open, box_of

LESSONS = {  # test_pages looks at them as pages
    "order-blindness": "why-order-matters",
    "position-heat-map": "sinusoidal-encodings",
    "position-similarity": "sinusoidal-encodings",
    "train-a-table": "learned-embeddings",
    "rotation": "rotary-and-alibi",
    "alibi-slopes": "rotary-and-alibi",
}
LABS = {lesson: [name for name in LESSONS if LESSONS[name] == lesson] for lesson in dict.fromkeys(LESSONS.values())}


def opened(visit: Open, name: str, **options: object) -> tuple[Page, Locator]:
    page = visit(f"/courses/positions/{LESSONS[name]}", **options)
    figure = page.locator(f"figure[data-lab={name}]")
    expect(figure.locator("fieldset:enabled")).to_have_count(1)
    return page, figure


def box(figure: Locator) -> dict[str, float]:
    """Where it stands below what is before it, and its size."""
    found: dict[str, float] = figure.evaluate("""one => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return { x, width, height, below: y - one.previousElementSibling.getBoundingClientRect().bottom };
    }""")
    return {side: round(length, 2) for side, length in found.items()}


def slide(figure: Locator, name: str, *keys: str) -> None:
    for key in keys:
        figure.locator(f"input[name={name}]").press(key)


def expect_reading(figure: Locator, lines: tuple[str, ...]) -> None:
    expect(figure.locator(".reading p")).to_have_text(list(lines))


def wait_for_fonts(route: Route) -> None:
    """A page does without fonts that come late (`font-display: optional`), and its lines then break at other words:
    two pages can be compared when both have waited for them."""
    styles = route.fetch()
    text = styles.text()
    assert "font-display: optional" in text
    route.fulfill(response=styles, body=text.replace("font-display: optional", "font-display: block"))


@pytest.mark.parametrize("lesson", LABS)
def test_a_lab_stands_in_the_same_box_with_and_without_its_module(visit: Open, lesson: str) -> None:
    still, page = visit("about:blank"), visit("about:blank")
    still.route("**/js/labs/**", lambda route: route.fulfill(body="", content_type="text/javascript"))
    for one, fieldset in ((still, "fieldset:disabled"), (page, "fieldset:enabled")):
        one.route("**/css/tokens*.css", wait_for_fonts)
        one.goto(f"/courses/positions/{lesson}")
        for name in LABS[lesson]:
            expect(one.locator(f"figure[data-lab={name}] {fieldset}")).to_have_count(1)
        one.evaluate("document.fonts.ready")
        assert one.evaluate("[...document.fonts].some((font) => font.status === 'loaded')")
    for name in LABS[lesson]:
        before, figure = (one.locator(f"figure[data-lab={name}]") for one in (still, page))
        assert box(before) == box(figure), name
        assert before.locator(".reading").inner_text() == figure.locator(".reading").inner_text()


@pytest.mark.parametrize("lesson", LABS)
def test_without_javascript_a_lab_shows_its_picture_and_nothing_to_slide(visit: Open, lesson: str) -> None:
    page = visit(f"/courses/positions/{lesson}", java_script_enabled=False)
    for name in LABS[lesson]:
        figure = page.locator(f"figure[data-lab={name}]")
        expect(figure.locator("[role=img]").first).to_be_visible()
        expect(figure.locator("figcaption")).not_to_be_empty()
        expect(figure.locator("fieldset")).to_be_hidden()


AXES = {
    "position-heat-map": [["0", "16", "31", "0", "32", "63"]] * 2,
    "position-similarity": [["0", "16", "31", "0", "16", "31"]] * 2,
    "train-a-table": [["0", "12", "23", "0", "12", "23"]] * 2 + [["0", "240", "3.14", "0"]],
    "rotation": [["1", "−1", "1", "−1"]] * 2,
    "alibi-slopes": [["0", "15", "0", "−15"], ["0", "8", "15", "0", "8", "15"]],
}


@pytest.mark.parametrize("name", LESSONS)
def test_axes_have_numbers_that_can_be_read_in_both_themes(visit: Open, name: str) -> None:
    page, figure = opened(visit, name, theme="dark")
    if name == "order-blindness":
        assert figure.locator(".ends").all_inner_texts() == ["0\n3"] * 4
        numbers, paint = figure.locator(".ends > span"), "color"
    else:
        axes = figure.locator(".plot .ticks")
        assert [axis.locator("text").all_text_contents() for axis in axes.all()] == AXES[name]
        numbers, paint = axes.locator("text"), "fill"
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        quiet = page.evaluate("getComputedStyle(document.querySelector('.lead')).color")  # axe looks at this one
        assert set(numbers.evaluate_all("(all, paint) => all.map((one) => getComputedStyle(one)[paint])", paint)) == {
            quiet
        }
    assert all(
        size >= 10 for size in numbers.evaluate_all("all => all.map((one) => one.getBoundingClientRect().height)")
    )


def test_the_numbers_on_axes_follow_the_sliders(visit: Open) -> None:
    _, figure = opened(visit, "position-heat-map")
    slide(figure, "max_len", "End")
    slide(figure, "d_model", "Home")
    for plot in figure.locator(".plot").all():
        assert plot.locator(".ticks text").all_text_contents() == ["0", "2", "3", "0", "128", "255"]
    _, figure = opened(visit, "alibi-slopes")
    slide(figure, "length", "Home")
    assert figure.locator("[data-plot=fan] .ticks text").all_text_contents() == ["0", "7", "0", "−7"]


def test_the_heat_map_reads_the_formula_by_slider_key_and_pointer(visit: Open) -> None:
    _, figure = opened(visit, "position-heat-map")
    slide(figure, "max_len", "ArrowLeft")
    slide(figure, "base", "Home")
    expect_reading(figure, position_heat_map.reading(1, 0, 56, 32, 10))
    expect(figure.locator("input[name=base]")).to_have_attribute("aria-valuetext", "10")
    plot = figure.locator("[data-plot=learned]")
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "Shift+ArrowRight"):
        plot.press(key)
    expect_reading(figure, position_heat_map.reading(3, 9, 56, 32, 10))
    box = box_of(figure.locator("[data-plot=sinusoidal]"))
    figure.locator("[data-plot=sinusoidal]").click(
        position={"x": box["width"] * 5.5 / 32, "y": box["height"] * 50.5 / 56}
    )
    expect_reading(figure, position_heat_map.reading(50, 5, 56, 32, 10))
    expect(figure.locator(".spoken")).to_contain_text("PE[50, 5] = cos(50 / 10^(4/32))")


def test_similar_positions_are_read_as_dot_product_and_as_cosine(visit: Open) -> None:
    _, figure = opened(visit, "position-similarity")
    plot = figure.locator("[data-plot=sinusoidal]")
    plot.press("ArrowDown")
    expect_reading(figure, position_similarity.reading(3, 5, 32, 32, 10000, 0))
    figure.get_by_label("cosine").check()
    slide(figure, "d_model", "Home")
    expect_reading(figure, position_similarity.reading(3, 5, 32, 4, 10000, 1))
    expect(figure.locator(".scale").first).to_have_text(re.compile("−1.000.*1.000", re.DOTALL))


def test_tokens_moved_by_keys_and_by_pointer_change_their_outputs_only_with_positions(visit: Open) -> None:
    page, figure = opened(visit, "order-blindness")
    expect_reading(figure, order_blindness.reading([2, 1, 0], 0))
    dog = figure.locator(".token", has_text="dog")
    dog.press("ArrowUp")
    expect(dog).to_be_focused()
    expect(figure.locator(".token")).to_have_text(["man", "dog", "bites"])
    expect_reading(figure, order_blindness.reading([2, 0, 1], 0))
    expect(figure.locator(".spoken")).to_contain_text("dog, place 2 of 3. Without positions")
    man = figure.locator(".token", has_text="man")
    man.hover()
    page.mouse.down()
    box = box_of(figure.locator(".tokens"))  # the rows change places under the pointer: aim at the list
    page.mouse.move(box["x"] + 20, box["y"] + box["height"] - 10, steps=8)
    page.mouse.up()
    expect(figure.locator(".token")).to_have_text(["dog", "bites", "man"])
    expect_reading(figure, order_blindness.reading([0, 1, 2], 0))
    expect(figure.locator(".reading")).to_contain_text("With positions, permuted output equals")


def test_the_tables_training_is_read_step_by_step(visit: Open) -> None:
    _, figure = opened(visit, "train-a-table")
    expect_reading(figure, train_a_table.reading(240))
    slide(figure, "step", "Home")
    expect_reading(figure, train_a_table.reading(0))
    slide(figure, "step", "ArrowRight", "ArrowRight", "ArrowRight")
    expect_reading(figure, train_a_table.reading(60))


def test_a_training_is_run_on_the_server_and_read_as_its_code_says(visit: Open) -> None:
    _, figure = opened(visit, "train-a-table")
    before = figure.locator("[data-plot=now] image").first.get_attribute("href")
    slide(figure, "seed", "ArrowRight")
    slide(figure, "max_len", "ArrowRight")
    slide(figure, "steps", "Home")
    slide(figure, "rate", "End")
    figure.get_by_role("button", name="Train").click()
    expect(figure.locator(".said")).to_have_text("Trained.")
    made = [train_a_table.Frame(*frame) for frame in train(1, 32, 8, 120, 1)]
    expect_reading(figure, train_a_table.reading(120, made))  # at its end, for people who want no motion
    expect(figure.locator("[data-shown]")).to_have_text("seed 1, 32 rows of 8 numbers, learning rate 1")
    assert figure.locator("[data-plot=now] image").first.get_attribute("href") != before
    slide(figure, "step", "Home")
    expect_reading(figure, train_a_table.reading(0, made))


def test_a_training_plays_from_its_beginning_and_can_be_held(visit: Open) -> None:
    page, figure = opened(visit, "train-a-table")
    page.emulate_media(reduced_motion="no-preference")
    figure.get_by_role("button", name="Train").click()
    figure.get_by_role("button", name="Pause").click()
    held = figure.locator("input[name=step]").input_value()
    assert int(held) < 240
    expect(figure.get_by_role("button", name="Play")).to_be_visible()
    expect_reading(figure, train_a_table.reading(int(held)))
    figure.get_by_role("button", name="Play").click()
    expect(figure.locator("input[name=step]")).not_to_have_value(held)
    expect(figure.locator("input[name=step]")).to_have_value("240")
    expect_reading(figure, train_a_table.reading(240))


@pytest.mark.complains("Failed to load resource")
def test_where_no_answer_comes_the_figure_stays_and_says_so(visit: Open) -> None:
    page, figure = opened(visit, "train-a-table")
    page.route("**/labs/**/runs", lambda route: route.abort())
    figure.get_by_role("button", name="Train").click()
    expect(figure.locator(".said")).to_have_text("The server cannot be reached. The plots are unchanged. Try again.")
    expect_reading(figure, train_a_table.reading(240))


def test_moving_query_and_key_together_keeps_the_score(visit: Open) -> None:
    _, figure = opened(visit, "rotation")
    score = figure.locator(".reading p").nth(1)
    before = score.inner_text().split("=")[-1]
    for _ in range(4):
        figure.get_by_role("button", name="Both forward by 1").click()
    expect_reading(figure, rotation.reading(9, 6, 100))
    assert score.inner_text().split("=")[-1] == before
    slide(figure, "m", "ArrowRight")
    expect_reading(figure, rotation.reading(10, 6, 100))
    assert score.inner_text().split("=")[-1] != before
    x, _ = rotation.rotate(rotation.QUERY, 10, 100)[:2]
    drawn = figure.locator(".q .turned").first.get_attribute("x2")
    assert float(drawn or "nan") == pytest.approx(x, abs=1e-12)


def test_slopes_of_any_number_of_heads_are_the_authors(visit: Open) -> None:
    _, figure = opened(visit, "alibi-slopes")
    slide(figure, "heads", *["ArrowRight"] * 4)
    slide(figure, "head", "End")
    expect(figure.locator("input[name=head]")).to_have_value("12")
    expect_reading(figure, alibi_slopes.reading(15, 8, 12, 12))
    assert figure.locator(".fan line").count() == 12
    figure.locator("[data-plot=bias]").press("Home")
    expect_reading(figure, alibi_slopes.reading(15, 0, 12, 12))
    slide(figure, "heads", "Home")
    expect_reading(figure, alibi_slopes.reading(15, 0, 1, 1))
