"""Hints in place, and what an accepted submission is told of itself and of others."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LOOKS, Open, source_of, write_code
from tests.browser.soundness import assert_sound

GATHER = "learned-absolute-position-embedding"


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_hints_open_in_place_and_leave_the_code_alone(visit: Open, width: int, theme: str) -> None:
    page = visit("/exercises/flax-learned-pos", width=width, theme=theme)
    write_code(page, "mine = 1")
    expect(page.locator("[data-draft]")).to_have_text(re.compile("^Saved"))  # a newcomer's first write, by itself
    for number in (1, 2):
        page.get_by_role("button", name=f"Hint {number} of 3").click()
        expect(page.locator("#hints")).to_contain_text(f"{number} of 3 hints opened")
    expect(page.locator(".cm-content")).to_contain_text("mine = 1")
    assert_sound(page, width, theme)
    page.reload()
    expect(page.locator("#hints details")).to_have_count(2)


@pytest.mark.extra
def test_an_accepted_solution_is_shared_and_taken_back(visit: Open) -> None:
    page = visit("/users/new", width=360)
    page.get_by_label("E-mail").fill("sharing@example.org")
    page.get_by_label("Password").fill("a wide enough password")
    page.locator("main form button").click()
    page.goto(f"/exercises/{GATHER}")
    write_code(page, source_of(GATHER, "reference.py"))
    page.get_by_role("button", name="Submit").click()
    expect(page.locator(".standing")).to_contain_text("About ")
    page.get_by_role("button", name="Share this solution").click()
    expect(page.locator(".standing")).to_contain_text(
        "Everyone who has solved this can see your code, without your name."
    )
    assert_sound(page, 360)
    page.get_by_role("link", name="Others’ solutions").last.click()
    expect(page.locator(".solutions")).to_contain_text("Yours")
    assert_sound(page, 360)
    page.go_back()
    page.get_by_role("button", name="Stop sharing").click()
    expect(page.get_by_role("button", name="Share this solution")).to_be_visible()
