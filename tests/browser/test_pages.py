"""Every page, at both widths and in both themes: no complaint, nothing sideways, nothing that axe objects to."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open, source_of
from tests.conftest import Running

AXE = (Path(__file__).parent / "axe.min.js").read_text()
# The corner of a table with headings on two sides is empty, as it should be.
AXE_RULES = {"empty-table-header": {"enabled": False}}
PAGES = {
    "home": "/",
    "course": "/courses/positions",
    "lesson 1": "/courses/positions/why-order-matters",
    "lesson 2": "/courses/positions/sinusoidal-encodings",
    "lesson 3": "/courses/positions/learned-embeddings",
    "lesson 4": "/courses/positions/test-your-understanding",
    "exercises": "/exercises",
    "no such exercises": "/exercises?tag=none",
    "gather": "/exercises/learned-absolute-position-embedding",
    "flax": "/exercises/flax-learned-pos",
    "solution": "/exercises/flax-learned-pos/solution",
    "progress": "/progress",
    "sign up": "/users/new",
    "sign in": "/sessions/new",
}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_sound(visit: Open, name: str, width: int, theme: str) -> None:
    page = visit(PAGES[name], width=width, theme=theme)
    assert_sound(page, width)


@pytest.mark.complains("404")
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_page_that_is_not_there_says_so_in_our_own_words(visit: Open, theme: str) -> None:
    page = visit("/courses/nothing", width=360, theme=theme)
    expect(page.get_by_role("heading", level=1)).to_have_text("Nothing here")
    assert_sound(page, 360)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("path", ["mistakes/wrong-axis.py", "mistakes/ids-not-cast.py", "reference.py"])
def test_a_verdict_is_sound(visit: Open, path: str, width: int, theme: str) -> None:
    page = visit("/exercises/learned-absolute-position-embedding", width=width, theme=theme)
    page.locator("#source").evaluate(
        "(area, code) => { area.value = code; }", source_of("learned-absolute-position-embedding", path)
    )
    page.get_by_role("button", name="Submit").click()
    page.locator("#verdict .panel[data-state=finished]").wait_for()
    page.evaluate("document.querySelectorAll('#verdict details').forEach((one) => { one.open = true; })")
    assert_sound(page, width)
    page.goto(page.locator("#verdict .panel header a").get_attribute("href") or "")
    assert_sound(page, width)


@pytest.mark.complains("422")
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_answered_question_is_sound(visit: Open, theme: str) -> None:
    page = visit("/courses/positions/test-your-understanding", width=360, theme=theme)
    for question in page.locator(".question").all():
        if question.get_by_role("radio").count():
            question.get_by_role("radio").first.check()
        else:
            question.get_by_role("textbox").fill("(1, 2)")
        question.get_by_role("button").click()
        question.locator(".mark").wait_for()
    assert_sound(page, 360)


def test_the_theme_is_remembered_by_the_server(visit: Open) -> None:
    page = visit("/", theme="light")
    assert page.evaluate("getComputedStyle(document.body).colorScheme") != "dark"
    page.get_by_role("button", name="Dark").click()
    page.goto("/exercises")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="As the system").click()
    page.reload()
    assert page.locator("html").get_attribute("data-theme") is None


def test_the_first_stop_of_the_keyboard_skips_to_the_content(visit: Open) -> None:
    page = visit("/exercises")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_static_files_are_immutable_at_their_own_address_only(site: Running) -> None:
    from app.rendering import assets

    with site.client() as client:
        now = client.get(assets.url("css/tokens.css"))
        old = client.get("/static/000000000000/css/tokens.css")
        outside = client.get(f"/static/{assets.version}/../rendering.py")
    assert "immutable" in now.headers["cache-control"]
    assert old.text == now.text
    assert old.headers["cache-control"] == "no-cache"
    assert outside.status_code == 404


def assert_sound(page: Page, width: int) -> None:
    page.evaluate("document.fonts.ready")
    assert page.evaluate("document.documentElement.scrollWidth") <= width, _sideways(page, width)
    page.evaluate(AXE)
    found: list[dict[str, Any]] = page.evaluate(
        "(rules) => axe.run({ rules }).then((results) => results.violations)", AXE_RULES
    )
    assert not found, [
        f"{one['id']}: {[node['html'][:150] for node in one['nodes'][:4]]} {one['nodes'][0]['failureSummary'][:300]}"
        for one in found
    ]


def _sideways(page: Page, width: int) -> list[str]:
    """What sticks out, for the message."""
    found: list[str] = page.evaluate(
        """(width) => [...document.querySelectorAll("body *")]
             .filter((element) => element.getBoundingClientRect().right > width + 1)
             .slice(0, 5).map((element) => element.outerHTML.slice(0, 120))""",
        width,
    )
    return found
