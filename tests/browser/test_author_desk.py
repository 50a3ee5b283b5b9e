"""The author's desk in a browser: something new from a template, seen while it is written; two authors lose no word."""

import base64
import re
import struct
import zlib

import pytest
from playwright.sync_api import Page, expect

from app.teaching.subjects import Subject
from tests.app.thresholds import thresholds
from tests.browser.authors import author, draft
from tests.browser.conftest import Open
from tests.browser.soundness import assert_sound
from tests.conftest import Running


def write(page: Page, text: str) -> None:
    """At the end of what is there."""
    editor = page.locator(".writing .cm-content")
    editor.click()
    page.keyboard.press("Control+End")
    page.keyboard.type(text)


@pytest.mark.extra
def test_a_new_author_writes_sees_and_saves_and_two_authors_lose_no_word(site: Running, visit: Open) -> None:
    ada = author(site, visit, "ada", "/author")
    assert_sound(ada, 1280)
    ada.get_by_label("New exercise").fill("rows-that-sum-to-one")
    ada.get_by_label("New exercise").press("Enter")
    expect(ada.get_by_role("heading", level=1, name="Rows that sum to one").first).to_be_visible()
    bob = author(site, visit, "bob", "/author/exercise/rows-that-sum-to-one")

    # What is typed is seen, and kept before it is saved: a reload loses nothing.
    seen = ada.locator("[data-seen]")
    write(ada, "\n\n## Worth knowing\n\nAda says $a + b$.")
    expect(seen.get_by_role("heading", name="Worth knowing")).to_be_visible()
    expect(seen.locator("math")).not_to_have_count(0)
    status = ada.locator("[data-draft]")
    expect(status).to_have_text("Kept. Not saved as a revision yet.")
    ada.reload()
    expect(ada.locator(".writing .cm-content")).to_contain_text("Ada says")
    assert_sound(ada, 1280)

    # A picture that is dropped into the text is stored, and its brackets wait for words.
    drop(ada, "Two Rows.png", picture())
    expect(ada.locator(".writing .cm-content")).to_contain_text("![](figures/two-rows.png)")
    ada.keyboard.type("two rows")
    expect(seen.locator("img[alt='two rows']")).to_be_visible()
    ada.keyboard.press("Control+s")
    expect(status).to_have_text("Saved.")
    ada.wait_for_function("() => document.querySelector('[data-seen] img').naturalWidth === 3")

    # Bob began before that, and writes into the same file: nothing is overwritten.
    write(bob, "\n\nBob says $c + d$.")
    bob.get_by_role("button", name="Save", exact=True).click()
    bob.wait_for_url("**/clashes")
    assert_sound(bob, 1280)
    bob.get_by_role("radio", name="What I write here").check()
    bob.get_by_text("Combine the two texts").click()
    both = bob.get_by_label("The text to keep")
    expect(both).to_have_value(re.compile("Ada says"))
    both.fill(both.input_value() + "\nBob says $c + d$.\n")
    bob.get_by_role("button", name="Save what I chose").click()
    expect(bob.locator(".writing .cm-content")).to_contain_text("Bob says")
    expect(bob.locator(".writing .cm-content")).to_contain_text("Ada says")

    # The history has every text, also the one that gave way; and an earlier one comes back.
    bob.get_by_role("link", name="History").click()
    expect(bob.locator(".revisions li")).to_have_count(5)
    assert_sound(bob, 1280)
    bob.locator(".revisions li").last.get_by_role("button", name="Restore").click()
    expect(bob.locator(".revisions li")).to_have_count(6)
    bob.locator(".revisions li").first.get_by_role("link", name="What changed").click()
    expect(bob.locator(".differences .removed").first).to_be_visible()
    assert_sound(bob, 1280)


@pytest.mark.extra
def test_a_fault_marks_its_line_and_keys_are_proposed_on_a_phone_too(site: Running, visit: Open) -> None:
    desk = draft(site, Subject("exercise", "thresholds-on-a-phone"), thresholds())
    page = author(site, visit, "ada", f"{desk}?file=exercise.toml", width=360)
    assert_sound(page, 360)
    write(page, "\n[limi")
    expect(page.locator(".cm-tooltip-autocomplete li").first).to_have_text(re.compile("limits"))
    fault = page.locator("[data-seen] .faults")
    expect(fault).to_contain_text("limi")  # with its bracket closed by the editor or without
    expect(page.locator(".cm-wrong")).to_have_count(1)
    # The last page that could be read stays, and the way to the line is a link.
    expect(page.locator("[data-seen] [data-rendered]")).to_be_visible()
    assert_sound(page, 360)
    expect(page.locator("[data-draft]")).to_have_text(re.compile("Kept"))
    page.select_option("#file", "statement.md")
    page.wait_for_url(lambda url: url.endswith("file=statement.md"))
    expect(page.locator("option[value='exercise.toml']")).to_have_text(re.compile("unsaved"))


def drop(page: Page, name: str, content: bytes) -> None:
    page.evaluate(
        """([name, content]) => {
             const bytes = Uint8Array.from(atob(content), (one) => one.charCodeAt(0));
             const data = new DataTransfer();
             data.items.add(new File([bytes], name, { type: "image/png" }));
             const lines = document.querySelector(".writing .editor").shadowRoot.querySelectorAll(".cm-line");
             const { x, y } = lines[lines.length - 1].getBoundingClientRect();
             lines[lines.length - 1].dispatchEvent(new DragEvent("drop", {
               dataTransfer: data, clientX: x + 1, clientY: y + 1, bubbles: true, cancelable: true, composed: true }));
           }""",
        [name, base64.b64encode(content).decode()],
    )


def picture() -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + b"\x10\x80\xff" * 3 for _ in range(2))
    header = struct.pack(">IIBBBBB", 3, 2, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts
