"""When a page asks for nothing more.

Playwright has `networkidle` for that, but it can be lost: where a page is silent for half a second while it is parsed,
as on a machine that stands still, and asks for more before its `DOMContentLoaded`, Playwright takes the state back and
starts no clock again (microsoft/playwright#42598). Here a page's requests are counted as Playwright reports them.
"""

from weakref import WeakKeyDictionary

from playwright.sync_api import Page, Request

from tests.waiting import until

QUIET_MS = 500


class _Wire:
    def __init__(self) -> None:
        self.open: set[Request] = set()
        self.asked = 0

    def asks(self, request: Request) -> None:
        if request.resource_type != "eventsource":  # stays open as long as its page
            self.open.add(request)
            self.asked += 1

    def ends(self, request: Request) -> None:
        self.open.discard(request)


_wires: WeakKeyDictionary[Page, _Wire] = WeakKeyDictionary()


def watch(page: Page) -> None:
    """Counts what `page` asks for, from here on: before it goes anywhere."""
    wire = _wires[page] = _Wire()
    page.on("request", wire.asks)
    page.on("requestfinished", wire.ends)
    page.on("requestfailed", wire.ends)


def is_waiting(page: Page) -> bool:
    """Return True while something that `page` has asked for since `watch` is under way."""
    return bool(_wires[page].open)


def until_quiet(page: Page) -> None:
    """Wait until `page` has loaded, has nothing under way and has asked for nothing for QUIET_MS.

    What was under way before `watch` is not counted. Raises AssertionError with what is under way, if that never comes.
    """
    page.wait_for_load_state()
    if page not in _wires:
        watch(page)
    wire = _wires[page]

    def is_quiet() -> bool:
        before = wire.asked
        page.wait_for_timeout(QUIET_MS)
        page.evaluate("0")  # what the browser reported while the machine stood still comes before this answer
        return not wire.open and wire.asked == before

    until(is_quiet, lambda: [f"{request.method} {request.url}" for request in wire.open])
