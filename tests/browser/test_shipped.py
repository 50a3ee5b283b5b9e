"""Every page of the content that ships fits a phone: nothing moves sideways but what scrolls by itself."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from app.settings import ROOT, Settings
from tests.conftest import running


@pytest.mark.extra
def test_every_lesson_and_exercise_that_ships_fits_a_phone(chromium: Browser, tmp_path: Path) -> None:
    settings = Settings(
        workers=0, data=tmp_path / "data", rate_limits="off",
        exercises=(ROOT / "exercises",), lessons=(ROOT / "lessons",),
    )  # fmt: skip
    with running(settings) as server, server.client() as client, chromium.new_context() as context:
        found = re.findall(r'href="(/courses/[\w-]+|/exercises/[\w-]+)"', client.get("/").text)
        found += re.findall(r'href="(/exercises/[\w-]+)"', client.get("/exercises").text)
        for course in [path for path in found if path.startswith("/courses/")]:
            found += re.findall(rf'href="({course}/[\w-]+)"', client.get(course).text)
        pages = sorted(set(found))
        assert len(pages) > 50
        page = context.new_page()
        page.set_viewport_size({"width": 360, "height": 740})
        wide = []
        for path in pages:
            page.goto(server.url + path)
            if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
                wide.append(path)
        assert wide == []
