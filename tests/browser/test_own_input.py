"""Running on an input of one's own, from the desk."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Open, source_of, write_code

EXERCISE = "learned-absolute-position-embedding"


def test_an_input_of_ones_own_is_run_and_shown_beside_what_was_expected(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    write_code(page, source_of(EXERCISE, "reference.py"))
    open_fields(page)
    expect(field(page, "positions")).to_have_value(re.compile(r"^\[\[\d"))
    field(page, "positions").fill("[[0, 3]]")
    page.get_by_role("button", name="Run on this").click()
    panel = page.locator("#verdict .panel[data-state=finished]")
    expect(panel.locator(".verdict")).to_contain_text("Your input passes")
    expect(panel.locator(".case-name")).to_have_text("your input")
    expect(panel.get_by_role("heading", name="Expected")).to_be_visible()
    expect(panel.get_by_role("heading", name="Yours")).to_be_visible()
    page.reload()
    open_fields(page)
    expect(field(page, "positions")).to_have_value("[[0, 3]]")
    page.get_by_role("button", name="Reset to sample").click()
    expect(field(page, "positions")).not_to_have_value("[[0, 3]]")


def test_an_input_that_the_reference_has_no_answer_for_is_not_called_a_fault_of_the_code(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    write_code(page, source_of(EXERCISE, "reference.py"))
    open_fields(page)
    field(page, "positions").fill("[[0, 999]]")
    page.get_by_role("button", name="Run on this").click()
    panel = page.locator("#verdict .panel[data-state=finished]")
    expect(panel.locator(".verdict")).to_have_text(re.compile("Nothing to compare with"))
    expect(panel).to_contain_text("The reference has no answer for this input")


@pytest.mark.complains("422")
def test_infinity_and_nan_are_read_where_floats_are_declared(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    write_code(page, source_of(EXERCISE, "reference.py"))
    open_fields(page)
    field(page, "positions").fill("[[0, 1]]")
    field(page, "embedding_table").fill("[[- inf, nan], [+inf, 0.5]]")
    page.get_by_role("button", name="Run on this").click()
    panel = page.locator("#verdict .panel[data-state=finished]")
    expect(panel.locator(".verdict")).to_contain_text("Your input passes")
    expect(panel).to_contain_text("-inf")
    page.goto("/exercises/flax-learned-pos")
    open_fields(page)
    field(page, "seed").fill("inf")
    page.get_by_role("button", name="Run on this").click()
    words = "seed holds inf, and int takes whole numbers. For example: 3"
    expect(field(page, "seed")).to_have_accessible_description(re.compile(re.escape(words)))


@pytest.mark.complains("422")
def test_what_cannot_be_read_is_told_beside_its_field_and_nothing_is_spent(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}")
    open_fields(page)
    table = field(page, "embedding_table").input_value()
    field(page, "positions").fill("[[0, 1], [2]]")
    page.get_by_role("button", name="Run on this").click()
    positions = field(page, "positions")
    expect(positions).to_have_attribute("aria-invalid", "true")
    expect(positions).to_be_focused()
    expect(positions).to_have_accessible_description(re.compile("all rows alike"))
    expect(field(page, "embedding_table")).to_have_value(table)
    expect(field(page, "embedding_table")).not_to_have_attribute("aria-invalid", "true")
    expect(page.locator("#verdict .panel")).to_have_count(0)
    positions.fill("[[0, 1]]")
    expect(positions).not_to_have_attribute("aria-invalid", "true")
    page.keyboard.press("Shift+Enter")
    expect(page.locator("#verdict .panel[data-state=finished]")).to_contain_text("your input")


@pytest.mark.complains("422")
def test_it_is_the_same_without_scripts(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}", java_script_enabled=False)
    page.get_by_label("Your code in Python").fill(source_of(EXERCISE, "reference.py"))
    open_fields(page)
    field(page, "positions").fill("[0]")
    page.get_by_role("button", name="Trace this").click()
    expect(field(page, "positions")).to_have_value("[0]")
    expect(field(page, "positions")).to_have_accessible_description(re.compile(r"float32\[N, T\]"))
    assert page.get_by_label("Your code in Python").input_value() == source_of(EXERCISE, "reference.py")
    field(page, "positions").fill("[[0]]")
    page.get_by_role("button", name="Trace this").click()
    expect(page).to_have_url(re.compile(r"/submissions/\d+$"))
    expect(page.locator(".trace .shape").first).to_contain_text("(N, T) = (1, 1)")


def open_fields(page: Page) -> None:
    page.locator(".own-input > summary").click()


def field(page: Page, name: str) -> Locator:
    return page.get_by_label(name, exact=True)


@pytest.mark.extra
def test_what_one_account_left_in_this_browser_is_not_shown_to_the_next(visit: Open) -> None:
    page = visit("/users/new")
    for email in ("own-input-one@example.org", "own-input-two@example.org"):
        page.goto("/users/new")
        page.get_by_label("E-mail").fill(email)
        page.get_by_label("Password").fill("a well kept secret")
        page.locator("main").get_by_role("button", name="Sign up").click()
        page.goto("/exercises/learned-absolute-position-embedding")
        page.get_by_text("Your own input", exact=True).click()
        field = page.locator("#input-positions")
        assert field.input_value() != "[[4, 0]]"
        field.fill("[[4, 0]]")
        page.reload()
        assert field.input_value() == "[[4, 0]]", "one's own is kept"
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_role("link", name="Sign in")).to_be_visible()
