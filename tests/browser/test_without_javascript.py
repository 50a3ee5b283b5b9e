"""Reading, answering and submitting ask for no script."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open, source_of

EXERCISE = "learned-absolute-position-embedding"


def test_a_question_is_answered(visit: Open) -> None:
    page = visit("/courses/positions/learned-embeddings", java_script_enabled=False)
    question = page.locator("[id='question-positions-learned-embeddings-shape-of-a-gather']")
    question.get_by_role("textbox").fill("(N, T)")
    question.get_by_role("button").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(question).to_contain_text("Not yet")
    expect(question).to_contain_text("That is the shape of the positions")
    expect(question).to_be_in_viewport()


def test_a_wrong_and_a_right_source_are_judged(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}", java_script_enabled=False)
    page.get_by_label("Your code in Python").fill(source_of(EXERCISE, "mistakes/ids-ignored.py"))
    page.get_by_role("button", name="Submit").click()
    expect(page).to_have_url(re.compile(r"/submissions/\d+$"))
    expect(page.locator(".verdict")).to_contain_text("Wrong answer")
    page.get_by_role("link", name="Edit and send again").click()
    assert "def learned_absolute_position_embedding" in page.get_by_label("Your code in Python").input_value()
    page.get_by_label("Your code in Python").fill(source_of(EXERCISE, "reference.py"))
    page.get_by_role("button", name="Submit").click()
    expect(page.locator(".verdict")).to_contain_text("Accepted")


def test_a_source_is_traced(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}", java_script_enabled=False)
    page.get_by_label("Your code in Python").fill(source_of(EXERCISE, "reference.py"))
    page.get_by_label("Trace which case").select_option("two sentences, the first padded on the left")
    page.get_by_role("button", name="Trace").click()
    expect(page).to_have_url(re.compile(r"/submissions/\d+$"))
    expect(page.locator(".trace .shape").first).to_contain_text("(N, T) = (2, ")
    page.get_by_role("link", name="Line 6").or_(page.locator(".trace a.at").first).first.click()
    expect(page).to_have_url(re.compile(r"\?from=\d+#source$"))
    assert "def learned_absolute_position_embedding" in page.get_by_label("Your code in Python").input_value()


def test_the_same_form_sent_twice_is_one_submission_and_changed_it_is_another(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}", java_script_enabled=False)
    addresses = []
    for source in ("x = 1\n", "x = 1\n", "x = 2\n"):
        page.get_by_label("Your code in Python").fill(source)
        page.get_by_role("button", name="Submit").click()
        page.wait_for_url(re.compile(r"/submissions/\d+$"))
        addresses.append(page.url)
        page.go_back()
    assert addresses[0] == addresses[1] != addresses[2]


def test_a_hint_takes_along_what_was_written(visit: Open) -> None:
    page = visit(f"/exercises/{EXERCISE}?framework=torch", java_script_enabled=False)
    code, own = page.get_by_label("Your code in Python"), page.locator("#input-positions")
    code.fill("# mine\nif 1 < 2:\n\tpass\n")
    page.get_by_text("Your own input", exact=True).click()
    own.fill("[[4.0, 4.0]]")
    for number in (1, 2):
        expect(page.locator(".hints form")).to_be_hidden()  # that one would lose all of it
        page.get_by_role("button", name=f"Hint {number} of").click()
        expect(page.locator(f"#hint-{number}")).to_be_visible()
        expect(page).to_have_url(re.compile(f"#hint-{number}$"))
        expect(code).to_have_value("# mine\nif 1 < 2:\n\tpass\n")
        expect(own).to_have_value("[[4.0, 4.0]]")
        expect(own).to_be_visible()
        expect(page.get_by_role("radio", name="PyTorch")).to_be_checked()
    page.goto(page.url.partition("#")[0])  # as a bookmark does
    expect(page.locator("#hint-2")).to_be_visible()
    page.get_by_role("radio", name="NumPy").press("Enter")
    expect(page).to_have_url(re.compile(r"/submissions/\d+$"))  # never a hint that nobody asked for


@pytest.mark.complains("401")
def test_someone_signs_up_out_and_in(visit: Open) -> None:
    page = visit("/users/new", java_script_enabled=False)
    page.get_by_label("E-mail").fill("grace@example.org")
    page.get_by_label("Password").fill("a well kept secret")
    page.get_by_role("button", name="Sign up").click()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("link", name="Sign in").click()
    page.get_by_label("E-mail").fill("grace@example.org")
    page.get_by_label("Password").fill("another secret of mine")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("wrong")
    page.get_by_label("Password").fill("a well kept secret")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("grace@example.org")).to_be_visible()
