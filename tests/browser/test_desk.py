"""The desk where an exercise is worked: nothing typed is lost, nothing is sent twice, the verdict comes by itself."""

import re
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from graders.boxes.sandbox import Box
from tests.browser.conftest import Open, box_of, first_only, source_of, until_heard, write_code
from tests.conftest import Running
from tests.waiting import LIMIT_SECONDS

EXERCISE = "learned-absolute-position-embedding"
STREAMS = """
window.streams = [];
window.EventSource = class extends EventSource {
  constructor(...given) {
    super(...given);
    streams.push(this);
  }
};
"""


@pytest.fixture
def gate(site: Running, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """While it is not set, no submission gets a box: what was sent waits for its verdict."""
    gate = threading.Event()
    assert site.state.judge
    take = site.state.judge.take

    def take_later(*arguments: Any, **options: Any) -> Box:
        gate.wait(LIMIT_SECONDS)
        return take(*arguments, **options)

    monkeypatch.setattr(site.state.judge, "take", take_later)
    yield gate
    gate.set()


def test_what_is_typed_survives_a_reload_and_starting_over_restores_the_starter(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    starter = source(page)
    write_code(page, "kept = True\n")
    expect(page.get_by_text("Saved")).to_be_visible()
    page.reload()
    expect(page.locator(".cm-content")).to_contain_text("kept = True")
    assert source(page) == "kept = True\n"
    page.get_by_role("button", name="Reset code").click()
    assert source(page) == starter
    page.get_by_role("button", name="Undo reset").click()
    assert source(page) == "kept = True\n"
    page.get_by_role("button", name="Reset code").click()
    write_code(page, "other = 1\n")
    expect(page.get_by_role("button", name="Reset code")).to_be_visible()


def test_each_framework_keeps_its_own_source(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    write_code(page, "numpy_one = 1\n")
    page.get_by_label("PyTorch").check()
    assert "numpy_one" not in source(page)
    write_code(page, "torch_one = 1\n")
    page.get_by_label("NumPy").check()
    assert source(page) == "numpy_one = 1\n"


def test_a_verdict_that_takes_a_while_comes_live_and_the_stream_is_closed_after_it(
    visit: Open, gate: threading.Event
) -> None:
    page = visit("about:blank")
    page.add_init_script(STREAMS)
    page.goto(f"/exercises/{EXERCISE}")
    write_code(page, source_of(EXERCISE, "reference.py"))
    page.get_by_role("button", name="Submit").click()
    panel = page.locator("#verdict .panel")
    expect(panel).to_have_attribute("data-state", re.compile("queued|running"))
    page.wait_for_function("() => streams.length")
    gate.set()
    expect(panel).to_have_attribute("data-state", "finished")
    expect(panel.locator(".verdict")).to_contain_text("Accepted")
    expect(page.locator("[data-announce]")).to_contain_text("Accepted")
    assert page.evaluate("streams.map((stream) => stream.readyState === EventSource.CLOSED)") == [True]


def test_a_reload_while_judging_shows_the_same_truth(visit: Open, gate: threading.Event) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    write_code(page, source_of(EXERCISE, "mistakes/ids-ignored.py"))
    page.get_by_role("button", name="Submit").click()
    page.goto(page.locator("#verdict .panel header a").get_attribute("href") or "")
    expect(page.locator(".panel")).to_have_attribute("data-state", re.compile("queued|running"))
    gate.set()
    expect(page.locator(".verdict")).to_contain_text("Wrong answer")


def test_a_reload_of_the_desk_while_judging_finds_the_verdict_again(visit: Open, gate: threading.Event) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    write_code(page, source_of(EXERCISE, "reference.py"))
    page.get_by_role("button", name="Submit").click()
    page.locator("#verdict .panel").wait_for()
    page.reload()
    expect(page.locator("#verdict .panel")).to_have_attribute("data-state", re.compile("queued|running"))
    gate.set()
    expect(page.locator("#verdict .verdict")).to_contain_text("Accepted")


@pytest.mark.complains("404", "401")
def test_after_signing_out_in_another_tab_nobody_waits_for_ever(visit: Open, gate: threading.Event) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    held: list[Route] = []
    page.route("**/events", lambda route: held.append(route))
    write_code(page, source_of(EXERCISE, "reference.py"))
    with page.expect_request("**/events"):
        page.get_by_role("button", name="Submit").click()
    until_heard(page, lambda: held)
    page.context.clear_cookies()
    held[0].continue_()
    expect(page.locator("#verdict .panel")).to_contain_text("sign in as before")
    expect(page.locator("#verdict")).not_to_contain_text("Pending")


@pytest.mark.extra
@pytest.mark.parametrize("width", [1280, 360])
def test_the_arrays_of_a_verdict_fit_their_columns(visit: Open, width: int) -> None:
    page = visit("/exercises/flax-learned-pos", width=width)
    write_code(page, source_of("flax-learned-pos", "reference.py").replace("0.02", "0.2"))
    page.get_by_role("button", name="Submit").click()
    page.locator("#verdict .panel[data-state=finished]").wait_for()
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    wide: list[str] = page.evaluate(
        """[...document.querySelectorAll("#verdict pre, .samples pre, .signature pre")]
             .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"""
    )
    assert wide == []


def test_a_file_that_cannot_be_read_is_one_failure_and_not_a_list_of_them(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    write_code(page, "def broken(\n")
    page.get_by_role("button", name="Submit").click()
    page.locator("#verdict .panel[data-state=finished]").wait_for()
    expect(page.locator("#verdict .case")).to_have_count(2)
    expect(page.locator("#verdict .case").last).to_contain_text("the other 14 cases")


def test_a_double_click_is_one_submission(visit: Open, gate: threading.Event) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    write_code(page, source_of(EXERCISE, "reference.py"))
    page.get_by_role("button", name="Submit").dblclick()
    page.locator("#verdict .panel").wait_for()
    assert len(sent) == 1


def test_a_run_judges_the_sample_cases_and_earns_nothing(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    write_code(page, source_of(EXERCISE, "reference.py"))
    page.get_by_role("button", name="Run").click()
    page.locator("#verdict .panel[data-state=finished]").wait_for()
    assert page.locator("#verdict .case").count() == page.locator("#verdict .case", has_text="sample").count() > 0
    page.goto("/progress")
    expect(page.locator(".lead")).not_to_contain_text("1 exercise solved")


@pytest.mark.complains("Failed to load resource")
def test_an_answer_that_is_lost_is_asked_for_again_by_itself_and_is_the_same_submission(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    write_code(page, source_of(EXERCISE, "reference.py"))
    arrived: list[str | None] = []

    def lose_the_answer(route: Route) -> None:
        route.fetch()  # the server has it; the student never hears
        route.abort()

    page.on(
        "request",
        lambda request: arrived.append(request.headers.get("idempotency-key")) if request.method == "POST" else None,
    )
    page.route("**/submissions", first_only(lose_the_answer))
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("alert")).to_contain_text("Your code is kept")
    expect(page.locator("#verdict .verdict")).to_contain_text("Accepted")
    assert len(arrived) == 2
    assert arrived[0] == arrived[1]
    page.goto("/progress")
    expect(page.locator("li", has_text="Learned absolute position embedding")).to_contain_text("sent once")


def test_the_keyboard_gets_out_of_the_editor_by_escape_and_tab(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    page.locator(".cm-content").click()
    page.keyboard.press("Tab")
    expect(page.locator(".cm-content")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Submit")).to_be_focused()


def test_what_students_write_is_never_markup(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    attack = "<img src=x onerror=alert(1)></textarea></template><script>alert(2)</script>"
    write_code(page, f"print({attack!r})\nraise ValueError({attack!r})\n")
    page.get_by_role("button", name="Submit").click()
    page.locator("#verdict .panel[data-state=finished]").wait_for()
    assert page.locator("#verdict img, #verdict script").count() == 0
    page.goto(page.locator("#verdict .panel header a").get_attribute("href") or "")
    page.get_by_role("link", name="Edit and").click()
    assert attack in source(page)
    assert page.locator("img").count() == 0


def source(page: Page) -> str:
    """What the form would send."""
    held: str = page.locator("#source").input_value()
    return held


LOOP = """import numpy as np
def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(np.int64)
    for n in range(40):
        row = embedding_table[n % 2]
    return embedding_table[ids]
"""


def test_a_trace_shows_shapes_beside_the_code_and_folds_loops(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    write_code(page, LOOP)
    page.get_by_label("Trace which case").select_option("two sentences, the first padded on the left")
    page.get_by_role("button", name="Trace").click()
    panel = page.locator("#verdict .panel")
    expect(panel).to_have_attribute("data-state", "finished")
    expect(panel.locator(".case-name")).to_contain_text("two sentences")
    trace = panel.locator(".trace")
    line = trace.locator("li.told", has=page.get_by_role("link", name="Line 3"))
    expect(line.locator(".shape")).to_have_text(re.compile(r"\(N, T\) = \(2, \d\)"))
    expect(line.locator(".dtype")).to_have_text("int64")
    loop = trace.locator("li.told", has=page.get_by_role("link", name="Line 4"))
    expect(loop.locator("summary")).to_contain_text("× 40")
    expect(loop.get_by_text("39")).to_be_hidden()
    loop.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(loop.get_by_text("39")).to_be_visible()
    page.get_by_role("link", name="Line 6").click()
    expect(page.locator(".cm-activeLine").last).to_contain_text("return embedding_table[ids]")
    page.reload()
    expect(page.locator("#verdict .trace")).to_be_visible()


@pytest.mark.extra
@pytest.mark.complains("net::ERR_FAILED")
def test_leaving_while_it_is_sent_finds_its_verdict_and_not_the_one_before(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    write_code(page, source_of(EXERCISE, "mistakes/ids-ignored.py"))
    page.get_by_role("button", name="Submit").click()
    expect(page.locator("#verdict .verdict")).to_contain_text("Wrong answer")

    def arrives_unanswered(route: Route) -> None:
        route.fetch()
        page.evaluate("location.reload()")
        route.abort()

    page.route("**/submissions", first_only(arrives_unanswered))
    write_code(page, source_of(EXERCISE, "reference.py"))
    page.get_by_role("button", name="Submit").click()
    expect(page.locator("#verdict .verdict")).to_contain_text("Accepted")
    page.reload()
    expect(page.locator("#verdict .verdict")).to_contain_text("Accepted")


@pytest.mark.extra
def test_what_never_arrived_is_sent_again_and_shows_no_older_verdict_meanwhile(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    write_code(page, source_of(EXERCISE, "mistakes/ids-ignored.py"))
    page.get_by_role("button", name="Submit").click()
    expect(page.locator("#verdict .verdict")).to_contain_text("Wrong answer")
    page.route("**/submissions", first_only(lambda route: page.evaluate("location.reload()")))
    write_code(page, source_of(EXERCISE, "reference.py"))
    with page.expect_navigation():
        page.get_by_role("button", name="Submit").click()
    expect(page.locator("#verdict .panel")).to_have_count(1)
    expect(page.locator("#verdict .verdict")).to_contain_text("Accepted")


def test_on_a_phone_the_menu_of_cases_is_a_mark_that_still_says_what_it_is_for(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}", width=360)
    menu = page.get_by_label("Trace which case")
    expect(menu).to_have_css("color", "rgba(0, 0, 0, 0)")  # five letters of a name tell nothing
    box = box_of(menu)
    assert box["width"] >= 24
    assert box["height"] >= 24
    assert box["x"] + box["width"] <= 360
    menu.focus()
    page.keyboard.press("ArrowDown")
    expect(menu).to_have_value("two sentences, the first padded on the left")


def test_times_of_what_was_sent_are_the_readers_own_on_a_first_page_too(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}", timezone_id="Asia/Kathmandu")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("#verdict .panel")).to_have_attribute("data-state", "finished")
    page.locator(".history summary").first.click()
    sent = page.locator(".history time").first
    expect(sent).to_have_attribute("data-offset", "345")
    at = datetime.fromisoformat(sent.get_attribute("datetime") or "") + timedelta(minutes=345)
    expect(sent).to_have_text(f"{at.day} {at:%B %Y, %H:%M}")
