"""Questions of every type, answered through the page as a student does: with scripts, and without."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from app.quizzes.answers import Answer
from app.settings import Settings
from tests.asked import PAGE, id_of, write_course
from tests.browser.conftest import LOOKS, Open, box_of
from tests.browser.quiet import until_quiet
from tests.browser.soundness import SHIFTS, assert_sound
from tests.conftest import Running, running

STEPS = ["Project to queries", "Multiply queries", "Take the softmax", "Weigh the values"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("questions")
    settings = Settings(workers=0, data=folder / "var", lessons=(write_course(folder / "lessons"),), rate_limits="off")
    with running(settings) as server:
        yield server


def question(page: Page, slug: str) -> Locator:
    return page.locator(f"[id='question-{id_of(slug).replace('.', '-')}']")


def send(one: Locator) -> Locator:
    """Answer, and wait for what is told."""
    before = one.locator(".told").element_handle()
    one.locator(".button-row button").click()
    if before:
        one.page.wait_for_function("(old) => !old.isConnected", arg=before)
    return one.locator(".told")


def pick(one: Locator, *texts: str) -> None:
    for box in one.locator(".option input").all():
        if box.get_attribute("type") == "checkbox":
            box.set_checked(False)
    for text in texts:
        one.locator(".option", has_text=text).locator("input").check()


def put_in_order(one: Locator, texts: list[str]) -> None:
    """With the buttons: each line up to its place, the first one first."""
    for place, text in enumerate(texts):
        line = one.locator(".order-line", has_text=text)
        for _ in range(len(texts)):
            if text in (one.locator(".order-line").nth(place).text_content() or ""):
                break
            line.get_by_role("button", name="Move up").click()


def test_picks_are_right_wrong_and_partly_right(visit: Open) -> None:
    page = visit(PAGE)
    one = question(page, "one-right")
    pick(one, "Both")
    expect(send(one)).to_contain_text("Only one of them has parameters.")
    expect(one.locator(".mark.wrong")).to_have_text(re.compile("Not yet"))
    pick(one, "The learned one")
    expect(send(one).locator(".mark.right")).to_have_text(re.compile("Right"))
    several = question(page, "several-right")
    for texts, mark, told in [
        (("token", "indices"), "wrong", "You picked 1 of the 2 right ones, and one that is wrong."),
        (("token", "head", "indices"), "partly", "50% of the credit"),
        (("token",), "partly", "You picked 1 of the 2 right ones."),
        (("token", "head"), "right", "Yes, that too."),
    ]:
        pick(several, *texts)
        expect(send(several)).to_contain_text(told)
        expect(several.locator(f".mark.{mark}")).to_be_visible()
    assert_sound(page, 1280)


@pytest.mark.complains("422")
def test_typed_answers_are_right_wrong_and_absurd(visit: Open, site: Running) -> None:
    page = visit(PAGE)
    for slug, right, wrong, told in [
        ("a-shape", "[N,T,d_model]", "(N, T)", "shape of the ids"),
        ("a-rounded-count", "0.39M", "12", "Not yet"),
        ("a-number", "25 %", "4", "Turn it over."),
        ("a-text", " LEARNT", "sinusoidal", "Those are computed."),
        ("an-output", "(2, 3)\n[[0 0 0]\n [0 0 0]]\n", "(3, 2)\n[[0 0]\n [0 0]\n [0 0]]", "Rows come first."),
    ]:
        one = question(page, slug)
        field = one.get_by_role("textbox")
        if slug not in ("a-text", "an-output"):  # where any words are an answer
            field.fill("9**9**9 (\u202e")
            expect(send(one)).to_contain_text("This can’t be read as an answer.")
            expect(field).to_have_attribute("aria-invalid", "true")
            expect(field).to_have_value("9**9**9 (\u202e")
        field.fill(wrong)
        expect(send(one)).to_contain_text(told)
        expect(one.locator(".mark.wrong")).to_be_visible()
        field.fill(right)
        expect(send(one).locator(".mark.right")).to_be_visible()
    expect(question(page, "an-output").locator("pre.code .nb", has_text="print")).to_have_count(2)
    with site.state.db.reading() as db:
        kept = db.query(Answer).filter(Answer.question == id_of("an-output")).order_by(Answer.id.desc()).limit(2).all()
    assert [row.correct for row in kept] == [True, False]
    assert all(row.seconds is not None and 0 <= row.seconds < 120 for row in kept)


def test_the_reading_is_shown_live_and_nothing_moves(visit: Open) -> None:
    page = visit("about:blank")
    page.add_init_script(SHIFTS)
    page.goto(PAGE)
    one = question(page, "a-shape")
    field, line = one.get_by_role("textbox"), one.locator(".reading")
    field.press_sequentially("torch.Size([N, T,d_model])")
    expect(line).to_have_text("We read this as (N, T, d_model)")
    below = box_of(one.get_by_role("button"))
    field.fill("N x T")
    expect(line).to_contain_text("Put commas between the axes")
    now = box_of(one.get_by_role("button"))
    assert abs(now["y"] - below["y"]) < 0.5
    field.fill("")
    expect(line).to_have_text("")
    expect(line).to_have_attribute("aria-live", "polite")
    count = question(page, "a-count")
    count.get_by_role("textbox").fill("512×768")
    expect(count.locator(".reading")).to_have_text("We read this as 512 × 768 = 393,216")
    assert_sound(page, 1280)
    assert page.evaluate("shifted") == 0
    assert "lectern" not in [cookie["name"] for cookie in page.context.cookies()], "a reading makes no guest"


def test_half_a_formula_is_no_problem_while_it_is_typed(visit: Open) -> None:
    page = visit(PAGE)
    page.clock.install(time=0)
    page.clock.pause_at(1000)  # seconds: from here on it is moved by hand alone
    one = question(page, "a-shape")
    line = one.locator(".reading")
    with page.expect_response(re.compile("/readings$")) as said:
        one.get_by_role("textbox").press_sequentially("(N, ")
        page.clock.run_for(300)
    assert said.value.json()["problem"]
    page.clock.run_for(300)
    expect(line).to_have_text("")
    page.clock.run_for(900)
    expect(line).to_contain_text("A bracket has no partner.")


@pytest.mark.extra
@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_lines_are_ordered_with_the_keyboard(visit: Open, width: int, theme: str) -> None:
    page = visit(PAGE, width=width, theme=theme)
    one = question(page, "an-order")
    lines = one.locator(".order-line label")
    put_in_order(one, STEPS)
    expect(one.locator(".order-moved")).to_have_text(re.compile(r": now line \d of 4\.$"))
    assert_sound(page, width, theme)
    down = one.locator(".order-line", has_text=STEPS[0]).get_by_role("button", name="Move down")
    down.press("Enter")
    expect(down).to_be_focused()
    down.press("Space")
    expect(lines).to_have_text([re.compile(STEPS[n]) for n in (1, 2, 0, 3)])
    expect(one.locator(".order-moved")).to_have_text("Project to queries, keys and values: now line 3 of 4.")
    down.press("Enter")
    told = send(one)
    expect(told).to_contain_text("Partly right")
    expect(told).to_contain_text("67% of the credit")
    sign = told.locator(".mark svg").inner_html()
    expect(told).to_contain_text("The first line is not the right one yet. Moving one line is enough.")
    expect(lines).to_have_text([re.compile(STEPS[n]) for n in (1, 2, 3, 0)])  # as they were put
    put_in_order(one, STEPS[::-1])
    expect(send(one).locator(".mark.wrong")).to_be_visible()
    assert one.locator(".mark svg").inner_html() != sign, "partly right has a sign of its own, not only a colour"
    put_in_order(one, STEPS)
    expect(send(one).locator(".mark.right")).to_be_visible()


@pytest.mark.parametrize("touch", [False, True])
def test_lines_are_dragged(visit: Open, touch: bool) -> None:
    page = visit(PAGE, has_touch=touch)
    one = question(page, "an-order")
    one.scroll_into_view_if_needed()
    lines = one.locator(".order-line label")
    before = lines.all_text_contents()
    start = box_of(one.locator(".order-line").first.locator(".order-drag"))
    end = box_of(one.locator(".order-line").nth(2))
    x, y, to = start["x"] + 8, start["y"] + 10, end["y"] + end["height"] - 3
    if touch:
        wire = page.context.new_cdp_session(page)

        def touched(kind: str, *points: float) -> None:
            wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": at} for at in points]})

        touched("touchStart", y)
        for step in range(1, 6):
            touched("touchMove", y + (to - y) * step / 5)
        touched("touchEnd")
    else:
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x, to, steps=5)
        expect(one.locator(".order-line.dragged")).to_have_count(1)
        page.mouse.up()
    expect(lines).to_have_text([before[1], before[2], before[0], before[3]])
    expect(one.locator(".order-line.dragged")).to_have_count(0)
    expect(one.locator(".order-moved")).to_contain_text("now line 3 of 4.")
    assert page.evaluate("getSelection().toString()") == ""
    expect(send(one).locator(".mark")).to_be_visible()


def test_without_scripts_lines_are_numbered_and_options_picked(visit: Open) -> None:
    page = visit(PAGE, java_script_enabled=False)
    order = question(page, "an-order")
    labels = order.locator(".order-line label").all_inner_texts()
    shown = [next(step for step in STEPS if step in label) for label in labels]

    def number(numbers: list[int]) -> None:
        for text, rank in zip(STEPS, numbers, strict=True):
            order.locator(".order-line", has_text=text).locator("input").fill(str(rank))
        order.get_by_role("button", name="Answer").click()

    number([1, 2, 2, 4])
    expect(order).to_contain_text("Some lines have no number, or share one.")
    expect(order.locator(".order-line", has_text=STEPS[3]).locator("input")).to_have_value("4")
    expect(order.locator(".order-line", has_text=STEPS[2]).locator("input")).to_have_value("")
    asked = [0, 1, 3, 2]
    if shown == [STEPS[n] for n in asked]:  # as it was shown it earns nothing
        asked = [0, 2, 1, 3]
    number([asked.index(n) + 1 for n in range(4)])
    start = (
        "The first 2 lines are right; line 3 is not yet." if asked[1] == 1 else "The first line is right; the second"
    )
    expect(order).to_contain_text(start)
    expect(order.locator(".order-line label")).to_have_text([re.compile(STEPS[n]) for n in asked])
    number([4, 3, 2, 1])
    expect(order.locator(".mark.wrong")).to_be_visible()
    number([1, 2, 3, 4])
    expect(order.locator(".mark.right")).to_be_visible()
    several = question(page, "several-right")
    several.get_by_role("button", name="Answer").click()
    expect(several).to_contain_text("No option is picked.")
    pick(several, "token")
    several.get_by_role("button", name="Answer").click()
    expect(several).to_contain_text("50% of the credit")
    pick(several, "token", "head")
    several.get_by_role("button", name="Answer again").click()
    expect(several.locator(".mark.right")).to_be_visible()
    output = question(page, "an-output")
    output.get_by_role("textbox").fill("(2, 3)\n[[0 0 0]\n [0 0 0]]")
    output.get_by_role("button", name="Answer").click()
    expect(output.locator(".mark.right")).to_be_visible()
    expect(output.get_by_role("textbox")).to_have_value("(2, 3)\n[[0 0 0]\n [0 0 0]]")


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_the_page_is_sound_and_stands_still(visit: Open, width: int, theme: str) -> None:
    page = visit("about:blank", width=width, theme=theme)
    page.add_init_script(SHIFTS)
    page.goto(PAGE)
    until_quiet(page)
    assert page.evaluate("shifted") == 0
    for slug, texts in (("several-right", ["token"]), ("one-right", ["Both"])):
        pick(question(page, slug), *texts)
        send(question(page, slug))
    question(page, "a-number").get_by_role("textbox").fill("25 %")
    expect(question(page, "a-number").locator(".reading")).to_contain_text("We read this as 25 % = 0.25")
    assert_sound(page, width, theme)


@pytest.mark.complains("422")
def test_what_was_not_sent_stands_there_again_after_a_reload_and_nothing_is_sent(visit: Open, site: Running) -> None:
    page = visit(PAGE)
    shape, several, order = (question(page, slug) for slug in ("a-shape", "several-right", "an-order"))
    shape.get_by_role("textbox").fill("(N, T")
    pick(several, "token", "head")
    question(page, "one-right").get_by_label("Both").check()
    question(page, "an-output").get_by_role("textbox").fill("(2, 3)\n[[0")
    put_in_order(order, STEPS[::-1])
    page.reload()
    expect(shape.get_by_role("textbox")).to_have_value("(N, T")
    expect(shape.locator(".reading")).to_contain_text("A bracket has no partner.")
    expect(shape.locator(".unsent")).to_be_visible()
    expect(several.locator(".option", has_text="token").locator("input")).to_be_checked()
    expect(several.locator(".option", has_text="indices").locator("input")).not_to_be_checked()
    expect(question(page, "one-right").get_by_label("Both")).to_be_checked()
    expect(question(page, "an-output").get_by_role("textbox")).to_have_value("(2, 3)\n[[0")
    expect(order.locator(".order-line label")).to_have_text([re.compile(step) for step in STEPS[::-1]])
    expect(order.locator(".order-line").first.get_by_role("button", name="Move up")).to_be_disabled()
    expect(page.locator(".mark")).to_have_count(0)
    assert_sound(page, 1280)
    assert "lectern" not in [cookie["name"] for cookie in page.context.cookies()], "nothing was sent"
    expect(send(shape)).to_contain_text("This can’t be read as an answer.")  # makes them a guest; it did not count
    send(several)
    expect(several.locator(".unsent")).to_have_count(0)
    page.reload()
    expect(shape.get_by_role("textbox")).to_have_value("(N, T")
    expect(several.locator("input:checked")).to_have_count(0)
    expect(question(page, "one-right").get_by_label("Both")).to_be_checked()
    with site.state.db.reading() as db:
        asked = [id_of(slug) for slug in ("an-order", "one-right", "an-output")]
        before = db.query(Answer).filter(Answer.question.in_(asked)).count()
    question(page, "one-right").get_by_label("The learned one").check()
    several.locator("input").first.focus()
    page.reload()
    expect(question(page, "one-right").get_by_label("The learned one")).to_be_checked()
    with site.state.db.reading() as db:
        assert db.query(Answer).filter(Answer.question.in_(asked)).count() == before


@pytest.mark.extra
def test_what_was_not_sent_is_for_the_same_numbers_and_the_same_person_alone(visit: Open) -> None:
    page = visit(PAGE)
    count = question(page, "a-count")
    one, text = question(page, "one-right"), question(page, "a-text")
    pick(one, "Both")
    send(one)  # a guest from here on
    page.reload()
    prompt = count.locator(".prompt").inner_text()
    count.get_by_role("textbox").fill("1 + 1")
    page.reload()
    assert count.locator(".prompt").inner_text() == prompt
    expect(count.get_by_role("textbox")).to_have_value("1 + 1")
    send(count)
    count.get_by_role("link", name="Try different numbers").click()
    expect(count.locator(".mark")).to_have_count(0)
    expect(count.get_by_role("textbox")).to_have_value("")
    page.goto("/users/new")
    page.get_by_label("E-mail").fill("unsent@example.org")
    page.get_by_label("Password").fill("a well kept secret")
    page.get_by_role("button", name="Sign up").click()
    page.goto(PAGE)
    text.get_by_role("textbox").fill("hers alone")
    page.get_by_role("button", name="Sign out").click()
    page.goto(PAGE)
    expect(text.get_by_role("textbox")).to_have_value("")
