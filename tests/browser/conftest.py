"""A real Chromium against a real server with its judge, over an empty data folder."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, Page, Route, expect, sync_playwright

from app.settings import ROOT, Settings
from tests.browser.visitors import Visitors
from tests.conftest import Running, running
from tests.needs import missing
from tests.waiting import LIMIT_MS, until

# The shell is the same engine without the browser around it, and takes two fifths of the time for each page.
CHROMIUMS = (os.environ.get("LECTERN_TEST_CHROMIUM"), "/usr/bin/chromium-headless-shell", "/usr/bin/chromium")
CHROMIUM = next((path for path in map(Path, filter(None, CHROMIUMS)) if path.exists()), Path("/usr/bin/chromium"))
CHEAP = "--renderer-process-limit=1"  # a new page took a sixth less processor time, tried alone
FAILURES = Path(__file__).parent / "failures"

Open = Callable[..., Page]
T = TypeVar("T")

# `--all` looks at a page at each width in both themes. A plain run looks at a phone in the dark, where most goes wrong.
# A test that is cheap to begin begins anew for each look, another takes three looks at what it has made.
PHONE, OTHERS = (360, "dark"), ((1280, "light"), (1280, "dark"), (360, "light"))
LOOKS = (pytest.param(*PHONE), *(pytest.param(*look, marks=pytest.mark.extra) for look in OTHERS))
MORE_LOOKS = (pytest.param((PHONE,), id="phone"), pytest.param(OTHERS, id="others", marks=pytest.mark.extra))
Looks = tuple[tuple[int, str], ...]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "complains(words): the console may complain in these words")


# What ends with this folder: the judge's own tests, which come later in a run of all, count processes.
_open = ExitStack()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Iterator[None]:
    try:
        yield
    finally:
        if nextitem is None or Path(__file__).parent not in nextitem.path.parents:
            _open.close()


@pytest.fixture(scope="session")
def chromium() -> Browser:
    if not CHROMIUM.exists():
        missing("browser", f"no browser at {CHROMIUM} (on Debian: apt-get install chromium-headless-shell)")
    expect.set_options(timeout=LIMIT_MS)
    playwright = _open.enter_context(sync_playwright())
    browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox", CHEAP])
    _open.callback(browser.close)
    return browser


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Running:
    """Lectern as it ships, its judge warm."""
    data = tmp_path_factory.mktemp("browser") / "var"
    server = _open.enter_context(running(Settings(data=data, workers=2, rate_limits="off")))
    with server.client() as client:
        until(lambda: client.get("/readyz").status_code == 200, lambda: client.get("/readyz").text, look_seconds=0.25)
    return server


@pytest.fixture(scope="session")
def visitors(chromium: Browser) -> Visitors:
    return Visitors(chromium)


@pytest.fixture
def visit(visitors: Visitors, site: Running, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Opens a page as a new visitor; whatever its console complains of fails the test."""
    complaints: list[str] = []

    def open_page(
        path: str = "/",
        *,
        width: int = 1280,
        height: int = 900,
        theme: str = "light",
        cold: bool = False,
        **options: Any,
    ) -> Page:
        page = visitors.page(site.url, width, height, theme, cold=cold, **options)
        page.on(
            "console",
            lambda message: (
                complaints.append(f"{message.text} {message.location['url']}")
                if message.type in ("error", "warning")
                else None
            ),
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path)
        return page

    yield open_page
    expected = request.node.get_closest_marker("complains")
    left = [one for one in complaints if not (expected and any(words in one for words in expected.args))]
    if left:
        FAILURES.mkdir(exist_ok=True)
        for number, page in enumerate(visitors.pages()):
            page.screenshot(path=FAILURES / f"{request.node.name}-{number}.png", full_page=True)
    visitors.leave()
    assert not left, left


def look(page: Page, width: int, theme: str) -> None:
    """Lay the page out again in another window and theme."""
    page.set_viewport_size({"width": width, "height": 900 if width > 600 else 740})
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")


def write_code(page: Page, code: str) -> None:
    """As a student does: into the editor, over what is there."""
    page.locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(code)


def first_only(handle: Callable[[Route], object]) -> Callable[[Route], None]:
    """For `page.route`: the first request is handled so, all others pass. `times=1` would stop the interception with
    the first one still held, which Chromium then lets go to the server, sometimes before it is answered here."""
    first = iter((handle,))

    def pass_on(route: Route) -> None:
        next(first, Route.continue_)(route)

    return pass_on


def lose_reply(route: Route) -> None:
    """The server gets the request, and the page never hears of it."""
    route.fetch()
    route.abort()


def box_of(place: Locator) -> FloatRect:
    """Where ``place`` lies on the screen, in pixels; asked again where a script drew it again in between."""
    return until(place.bounding_box, f"{place} lies nowhere on the screen")


def until_heard(page: Page, condition: Callable[[], T], otherwise: object = "") -> T:
    """`until`, for what Playwright tells of a page: it does so only while it is called."""

    def look() -> T:
        page.wait_for_timeout(0)
        return condition()

    return until(look, otherwise)


def source_of(exercise: str, path: str) -> str:
    return (ROOT / "exercises" / exercise / path).read_text()
