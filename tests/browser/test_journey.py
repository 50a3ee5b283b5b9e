"""The whole thread, as someone new walks it: read, answer, submit wrong, see why, submit right, sign up, find it."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Open, source_of, write_code

EXERCISE = "flax-learned-pos"


def test_a_student_reads_answers_submits_sees_why_and_finds_it_all_in_their_progress(visit: Open) -> None:
    page = visit("/")
    page.locator("article").get_by_role("link", name=re.compile("Positions in transformers")).click()
    page.get_by_role("link", name="Learned embeddings", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()

    shape = page.locator("[id='question-positions-learned-embeddings-shape-of-a-gather']")
    assert "any" not in page.content().split("Indexing with an array")[1:], "the explanation is there before the answer"
    shape.get_by_role("textbox").fill("(T, d_model)")
    shape.get_by_role("button", name="Answer").click()
    expect(shape.get_by_role("status")).to_contain_text("Not yet")
    expect(shape.get_by_role("status")).to_contain_text("One sequence would give that")
    shape.get_by_role("textbox").fill("N, T, d_model")
    shape.get_by_role("button", name="Answer again").click()
    expect(shape.get_by_role("status")).to_contain_text("Right")
    expect(shape.get_by_role("status")).to_contain_text("Indexing with an array of integers")

    count = page.locator("[id='question-positions-learned-embeddings-parameter-count']")
    prompt = count.locator(".prompt").inner_text()
    rows, columns = (int(number) for number in re.findall(r"= (\d+)", prompt))
    count.get_by_role("textbox").fill(f"{rows} * {columns}")
    count.get_by_role("textbox").press("Enter")
    expect(count.get_by_role("status")).to_contain_text("Right")
    count.scroll_into_view_if_needed()
    page.get_by_role("button", name=re.compile("Mark as read")).click()
    expect(page).to_have_url(re.compile("rotary-and-alibi"))

    page.goto(f"/exercises/{EXERCISE}")
    write_code(page, source_of(EXERCISE, "mistakes/row-not-rows.py"))
    page.keyboard.press("ControlOrMeta+Enter")
    verdict = page.locator("#verdict")
    expect(verdict.locator(".verdict")).to_have_text(re.compile("Wrong answer"))
    expect(verdict.locator(".diagnosis")).to_contain_text("A colon is missing")
    expect(verdict.locator(".case").first).to_contain_text("sample")

    write_code(page, source_of(EXERCISE, "reference.py"))
    page.get_by_role("button", name="Submit").click()
    expect(verdict.locator(".verdict")).to_have_text(re.compile("Accepted"))
    assert verdict.locator(".case.good").count() == verdict.locator(".case").count() >= 9

    page.get_by_role("link", name="Sign up", exact=True).click()
    page.get_by_label("E-mail").fill("ada@example.org")
    page.get_by_label("Password").fill("a well kept secret")
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_text("ada@example.org")).to_be_visible()

    page.get_by_role("link", name="My progress").click()
    expect(page.locator(".lead")).to_have_text("1 lesson read, 2 questions answered right, 1 exercise solved.")
    expect(page.locator("li", has_text="Learned position embedding in Flax")).to_contain_text("solved")

    page.get_by_role("button", name="Sign out").click()
    page.goto("/progress")
    expect(page.locator(".lead")).to_contain_text("Nothing yet")
