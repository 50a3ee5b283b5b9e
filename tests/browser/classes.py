"""Somebody of a class in a browser."""

from playwright.sync_api import Page

from app.people import accounts
from tests.browser.conftest import Open
from tests.conftest import Running


def signed_in(visit: Open, site: Running, email: str, path: str, width: int = 1280, theme: str = "light") -> Page:
    page = visit("/sessions/new", width=width, theme=theme)
    token = accounts.make_token(site.state.db, email)
    page.context.add_cookies([{"name": "lectern", "value": token, "url": site.url}])
    page.goto(path)
    return page
