"""What makes a page sound: nothing sticks out, nothing shifts, and axe objects to nothing."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.browser.quiet import until_quiet

AXE = (Path(__file__).parent / "axe.min.js").read_text()
# The corner of a table with headings on two sides is empty, as it should be.
AXE_RULES = {"empty-table-header": {"enabled": False}, "target-size": {"enabled": True}}
LOOKS = 5  # at a page that scripts still change
SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => list.getEntries().forEach((entry) => { shifted += entry.value; }))
  .observe({ type: "layout-shift", buffered: true });
"""


def assert_sound(page: Page, width: int, theme: str = "") -> None:
    """Of the page as it stands: nothing sticks out, and axe objects to nothing.

    Without a `theme` nor does axe, at one width, to a colour in the other theme: colours do not depend on the width. A
    test that is run in each theme says which one this is.
    """
    page.wait_for_load_state()  # of the page that a click has led to
    page.evaluate("document.fonts.ready")
    assert page.evaluate("document.documentElement.scrollWidth") <= width, _sideways(page, width)
    for _ in range(LOOKS):
        if not (found := _objections(page, {"rules": AXE_RULES})):
            break
        until_quiet(page)  # what a script is about to make of the page
    assert not found, found
    if theme:
        assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") == (theme == "dark")
    elif width >= 1000:
        assert_told_apart_in_the_dark(page)


def assert_told_apart_in_the_dark(page: Page) -> None:
    """Axe objects to no colour in the dark theme. What else it looks for is the same in both."""
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    found = _objections(page, {"runOnly": ["color-contrast", "link-in-text-block"]})
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    assert not found, ["in the dark", *found]


def _objections(page: Page, options: dict[str, Any]) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found: list[dict[str, Any]] = page.evaluate(
        "(options) => axe.run(options).then((results) => results.violations)",
        {"resultTypes": ["violations"], **options},  # of what passes it need not find out where it stands
    )
    return [
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
