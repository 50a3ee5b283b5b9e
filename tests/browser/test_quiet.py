"""When the tests take a page for quiet."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

import pytest

from tests.browser import quiet
from tests.browser.conftest import Open
from tests.browser.quiet import until_quiet
from tests.waiting import LIMIT_SECONDS

QUIET_MS = 50
PAUSE_MS = 2 * QUIET_MS
PAGE = '<!doctype html><link rel=icon href="data:,"><script defer src="/busy.js"></script>'
# Nothing is under way for a while, and then something once more, before the page's DOMContentLoaded.
BUSY = f"""
const start = performance.now();
while (performance.now() - start < {PAUSE_MS});
const request = new XMLHttpRequest();
request.open("GET", "/more", false);
request.send();
"""
ANSWERS = {"/": ("text/html", PAGE), "/busy.js": ("text/javascript", BUSY)}


class Slow(NamedTuple):
    """A page that is busy while it loads, and an answer that comes when it is let go."""

    url: str
    late: threading.Event


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    monkeypatch.setattr(quiet, "QUIET_MS", QUIET_MS)
    late = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kind, text = ANSWERS.get(self.path, ("text/plain", "here"))
            if self.path == "/late":
                late.wait(LIMIT_SECONDS)
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Slow(f"http://127.0.0.1:{server.server_port}", late)
        late.set()
        server.shutdown()


def test_a_page_that_is_busy_while_it_loads_is_quiet_in_the_end(visit: Open, slow: Slow) -> None:
    page = visit("about:blank")
    page.goto(slow.url)
    until_quiet(page)
    assert page.evaluate("request.responseText") == "here"


def test_a_page_is_not_quiet_while_an_answer_is_under_way(
    visit: Open, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = visit("about:blank")
    page.goto(slow.url)
    page.evaluate("fetch('/late').then((answer) => answer.text()).then((text) => { window.late = text; }); 0")
    looks: list[float] = []
    wait = page.wait_for_timeout

    def look(milliseconds: float) -> None:
        looks.append(milliseconds)
        if len(looks) == 3:
            slow.late.set()
        wait(milliseconds)

    monkeypatch.setattr(page, "wait_for_timeout", look)
    until_quiet(page)
    assert page.evaluate("window.late") == "here"
