"""When the tests take a page for quiet."""

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.browser.conftest import Open
from tests.browser.quiet import QUIET_MS, until_quiet

PAUSE = 2 * QUIET_MS  # ms
PAGE = '<!doctype html><link rel=icon href="data:,"><script defer src="/busy.js"></script>'
# Nothing is under way for a while, and then something once more, before the page's DOMContentLoaded.
BUSY = f"""
const start = performance.now();
while (performance.now() - start < {PAUSE});
const request = new XMLHttpRequest();
request.open("GET", "/more", false);
request.send();
"""
ANSWERS = {"/": ("text/html", PAGE), "/busy.js": ("text/javascript", BUSY)}


class Slow(BaseHTTPRequestHandler):
    """A page that is busy while it loads, and an answer that takes its time."""

    def do_GET(self) -> None:
        kind, text = ANSWERS.get(self.path, ("text/plain", "here"))
        if self.path == "/late":
            time.sleep(PAUSE / 1000)
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def slow() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Slow) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_page_that_is_busy_while_it_loads_is_quiet_in_the_end(visit: Open, slow: str) -> None:
    page = visit("about:blank")
    page.goto(slow)
    until_quiet(page)
    assert page.evaluate("request.responseText") == "here"


def test_a_page_is_not_quiet_while_an_answer_is_under_way(visit: Open, slow: str) -> None:
    page = visit("about:blank")
    page.goto(slow)
    page.evaluate("fetch('/late').then((answer) => answer.text()).then((text) => { window.late = text; }); 0")
    until_quiet(page)
    assert page.evaluate("window.late") == "here"
