"""Visitors of a server, each with a page and a browser context that no other visitor has used, or has left clean.

A new context starts with an empty cache and a new process for its pages. So the first visitor of a test gets the
context of the last test, without its cookies and its storage. One page stays open in it, so that its process stays too.

A context is used again only if it is as good as new: it is open, has no other page, is connected, has its own clocks,
and waits for no reply.
"""

from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Error, Page

from tests.browser.quiet import is_waiting, watch
from tests.waiting import LIMIT_MS

# Tells whether the page has its own clocks and is connected. From then on it sends nothing: what a page saves while it
# is left (`keepalive`) would arrive, and set its cookie, when the next visitor is there.
LAST = """() => {
  const is_own = [Date, setTimeout].every(one => `${one}`.includes("[native code]"));
  window.fetch = () => new Promise(() => {});
  navigator.sendBeacon = () => false;
  return is_own && navigator.onLine;
}"""


@dataclass
class _Shared:
    """A context that one visitor after the other uses."""

    url: str
    context: BrowserContext
    first: Page  # stays open
    wire: CDPSession
    page: Page | None = None  # the visitor's
    is_open: bool = True

    def is_clean(self) -> bool:
        """Close the visitor's page and clear the storage. Return False if the context cannot be used again."""
        page = self.page
        if page is None or not self.is_open or self.context.pages != [self.first, page] or len(page.frames) != 1:
            return False
        try:
            if not page.evaluate(LAST) or is_waiting(page):
                return False
            page.goto("about:blank")
        except Error:  # it goes somewhere else at this moment
            return False
        page.close()
        self.context.clear_cookies()
        self.context.clear_permissions()
        self.wire.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
        return True


@dataclass
class Visitors:
    """Opens pages in one browser."""

    browser: Browser
    contexts: list[BrowserContext] = field(default_factory=list)  # of this test
    shared: _Shared | None = None
    is_taken: bool = False

    def page(self, url: str, width: int, height: int, theme: Any, *, cold: bool = False, **options: Any) -> Page:
        """Return an empty page of a new visitor of the server at `url`.

        `cold`: with nothing in its cache. `options`: of the context, which is then a new one too.
        """
        viewport: Any = {"width": width, "height": height}
        if cold or options or self.is_taken:
            context = self._context(url, viewport=viewport, color_scheme=theme, **options)
            self.contexts.append(context)
            page = context.new_page()
        else:
            shared = self._share(url)
            page = shared.page = shared.context.new_page()
            page.set_viewport_size(viewport)
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        watch(page)
        return page

    def _share(self, url: str) -> _Shared:
        if self.shared and self.shared.url != url:
            self.close()
        if not self.shared:
            context = self._context(url, viewport={"width": 1280, "height": 900}, color_scheme="light")
            first = context.new_page()
            shared = self.shared = _Shared(url, context, first, context.new_cdp_session(first))
            context.on("close", lambda _: setattr(shared, "is_open", False))
        self.is_taken = True
        self.contexts.append(self.shared.context)
        return self.shared

    def _context(self, url: str, **options: Any) -> BrowserContext:
        context = self.browser.new_context(base_url=url, reduced_motion="reduce", **options)
        context.set_default_timeout(LIMIT_MS)
        return context

    def pages(self) -> list[Page]:
        """The pages that this test's visitors have open."""
        first = self.shared.first if self.shared else None
        return [page for context in self.contexts for page in context.pages if page is not first]

    def leave(self) -> None:
        """Let this test's visitors go."""
        shared = self.shared.context if self.shared else None
        for context in self.contexts:
            if context is not shared:
                context.close()
        if self.shared and self.is_taken and not self.shared.is_clean():
            self.close()
        self.contexts.clear()
        self.is_taken = False

    def close(self) -> None:
        if self.shared and self.shared.is_open:
            self.shared.context.close()
        self.shared = None
