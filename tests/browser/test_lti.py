"""From a learning management system's page, in whose frame no cookie of ours is kept, into a window of our own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from app.people import accounts
from app.settings import Settings
from tests.app.classes import BROWSER, account, close_clients, make_class
from tests.app.lti_platform import INSTRUCTOR, LEARNER, Platform, running_platform
from tests.browser.soundness import assert_sound
from tests.conftest import Running, running

PASSWORD = "a wide enough password"


@pytest.fixture
def platform(tmp_path: Path) -> Iterator[tuple[Running, Platform]]:
    """A server, and a platform whose pages are of another site than it."""
    settings = Settings(workers=0, data=tmp_path / "var", lti_private_hosts="127.0.0.1", rate_limits="off")
    with running(settings) as server, running_platform() as platform:
        platform.tool = server.url
        platform.people = {"ada": INSTRUCTOR, "eve": LEARNER}
        described = {**platform.described, "frames": platform.url.replace("127.0.0.1", "localhost")}
        admin = account(server, "root@example.org", "admin")
        assert admin.post("/lti/platforms", data=described, headers=BROWSER).status_code == 303
        yield server, platform
        close_clients()


def opened(page: Page, platform: Platform, subject: str) -> Page:
    """The window that the page in the frame opens."""
    page.goto(platform.url.replace("127.0.0.1", "localhost") + "/course")
    page.get_by_role("link", name=subject).click()
    button = page.frame_locator("iframe").get_by_role("button", name="Open in a new window")
    with page.context.expect_page() as window:
        button.click()
    window.value.wait_for_load_state()
    return window.value


def test_from_a_frame_of_another_site_to_a_class(chromium: Browser, platform: tuple[Running, Platform]) -> None:
    server, campus = platform
    accounts.add_user(server.state.db, "ada@example.org", "instructor", PASSWORD)
    ada = account(server, "ada2@example.org", "instructor")
    made = make_class(server, ada, title="Spring")
    ada.put(f"{made.url}/roster", json=[{"email": "ada@example.org", "role": "instructor"}]).raise_for_status()
    with chromium.new_context() as context:
        page = context.new_page()
        page.goto(f"{server.url}/sessions/new")
        page.get_by_label("E-mail").fill("ada@example.org")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        window = opened(page, campus, "ada")
        window.get_by_label("Your password here").fill(PASSWORD)
        assert_sound(window, 1280)
        window.get_by_role("button", name="Connect to ada@example.org").click()
        window.get_by_role("button", name="Connect Spring").click()
        window.get_by_text("The course is connected").wait_for()
        assert_sound(window, 1280)
        window.goto(f"{server.url}/me/systems")
        window.get_by_role("button", name="Disconnect").wait_for()
        assert_sound(window, 1280)
    with chromium.new_context() as context:
        window = opened(context.new_page(), campus, "eve")
        window.get_by_role("button", name="Continue").click()
        window.wait_for_url(f"{server.url}/classes/{made.id}")
        window.goto(f"{server.url}/me")
        assert window.get_by_text("Sign out").is_visible()
    people = {one["name"]: one["role"] for one in ada.get(f"{made.url}/roster").json()["roster"]}
    assert people["Eve"] == "student"
