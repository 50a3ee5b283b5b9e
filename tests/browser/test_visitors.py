"""A visitor of a test takes over a context from the one before only as good as new."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.visitors import Visitors
from tests.conftest import Running

LEAVES = """() => {
  localStorage.left = "a draft";
  document.cookie = "left=somebody; path=/";
  return new Promise((resolve) => { indexedDB.open("left").onsuccess = () => resolve(null); });
}"""
FINDS = "async () => [localStorage.left, document.cookie.includes('left'), (await indexedDB.databases()).length]"


@pytest.fixture
def own(chromium: Browser) -> Iterator[Visitors]:
    visitors = Visitors(chromium)
    yield visitors
    visitors.leave()
    visitors.close()


def visitor(own: Visitors, site: Running) -> Page:
    page = own.page(site.url, 360, 740, "dark")
    page.goto("/sessions/new")
    return page


def test_nothing_is_found_that_the_one_before_has_left(own: Visitors, site: Running) -> None:
    first = visitor(own, site)
    context = first.context
    first.evaluate(LEAVES)
    own.leave()
    second = visitor(own, site)
    assert second.context is context
    assert second.evaluate(FINDS) == [None, False, 0]
    assert second.evaluate("[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]") == [360, True]


def test_two_at_once_do_not_know_each_other(own: Visitors, site: Running) -> None:
    first, second = visitor(own, site), visitor(own, site)
    first.evaluate(LEAVES)
    assert second.evaluate(FINDS) == [None, False, 0]


@pytest.mark.parametrize("how", ["other clocks", "no network", "another page", "closed", "under way"])
def test_what_is_not_as_new_is_not_passed_on(own: Visitors, site: Running, how: str) -> None:
    page = visitor(own, site)
    context = page.context
    if how == "other clocks":
        page.clock.install()
        page.reload()
    elif how == "no network":
        context.set_offline(True)
    elif how == "another page":
        context.new_page()
    elif how == "closed":
        context.close()
    else:
        page.route("**/held", lambda route: None)
        with page.expect_request("**/held"):
            page.evaluate("void fetch('/held')")
    own.leave()
    assert visitor(own, site).context is not context
