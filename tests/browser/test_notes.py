"""Notes in a lesson: selected, highlighted and written by mouse, touch and keyboard; kept through reloads, lost
connections, other tabs and edits of the lesson; listed, printed, and all without a script too."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from app.settings import Settings
from tests.browser.conftest import LOOKS, Open, box_of, first_only, lose_reply
from tests.browser.quiet import until_quiet
from tests.browser.soundness import assert_sound
from tests.conftest import Running, running

LESSON = "/courses/positions/sinusoidal-encodings"
ZOOMED = 640  # what a page of 1280 pixels has at a zoom of 200 %
WITH_CELL = "/courses/positions/learned-embeddings"
SELECT = """([from, to]) => {
  const texts = (element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) if (walker.currentNode.data.trim()) found.push(walker.currentNode);
    return found;
  };
  from.scrollIntoView({ block: "center", behavior: "instant" });
  const last = texts(to).at(-1);
  getSelection().setBaseAndExtent(texts(from)[0], 0, last, last.data.length);
}"""


def open_lesson(visit: Open, path: str = LESSON, **options: Any) -> Page:
    """A lesson whose reader has moved: what notes need is there."""
    page = visit(path, **options)
    wake(page)
    return page


def wake(page: Page) -> None:
    page.mouse.move(3, 3)
    expect(page.locator(".section-note button").first).to_be_attached()


def select(page: Page, first: Locator, last: Locator | None = None) -> None:
    """From the beginning of one element to the end of another."""
    wake(page)
    page.evaluate(SELECT, [first.element_handle(), (last or first).element_handle()])


def paragraph(page: Page, number: int = 0) -> Locator:
    return page.locator(".prose > p").nth(number)


def highlight(page: Page, first: Locator, colour: str = "yellow") -> None:
    select(page, first)
    page.get_by_role("button", name=f"Highlight in {colour}").click()
    expect(page.locator(f"mark.{colour}").first).to_be_visible()


def write(page: Page, text: str) -> None:
    page.get_by_role("textbox", name="Your note, only you").fill(text)
    page.get_by_role("button", name="Save", exact=True).click()


def saved(page: Page, count: int) -> None:
    """The server has so many notes on this lesson, and the page knows."""
    expect(page.locator("[data-note]")).to_have_count(count)


def marked(page: Page) -> str:
    while True:  # they are drawn once more when the server has the note
        page.locator("mark[data-notes]").first.wait_for()
        if words := "".join(page.locator("mark[data-notes]").all_text_contents()):
            return words


def test_text_is_highlighted_with_the_mouse_and_stays_so(visit: Open) -> None:
    page = open_lesson(visit)
    expect(page.locator(".section-note button").first).to_be_visible()
    until_quiet(page)  # fonts move the words
    box = box_of(paragraph(page))
    page.mouse.move(box["x"] + 2, box["y"] + 12)
    page.mouse.down()
    page.mouse.move(box["x"] + 250, box["y"] + 12, steps=4)
    page.mouse.up()
    page.get_by_role("button", name="Highlight in green").click()
    words = marked(page)
    assert words.startswith("How would you write")
    saved(page, 1)
    page.reload()
    expect(page.locator("mark.green").first).to_be_visible()
    assert marked(page) == words
    lines = page.evaluate(
        """["yellow", "green", "blue"].map((colour) => {
             const mark = Object.assign(document.createElement("mark"), { className: `highlight ${colour}` });
             document.body.append(mark);
             return getComputedStyle(mark).borderBottomStyle;
           })"""
    )
    assert len(set(lines)) == 3, "told apart by the line, too"


def test_all_that_is_selected_by_now_is_highlighted(visit: Open) -> None:
    """The bar came for a part of it, as where a hand or the machine pauses."""
    page = open_lesson(visit)
    paragraph(page).evaluate("(place) => getSelection().setBaseAndExtent(place.firstChild, 0, place.firstChild, 5)")
    page.get_by_role("button", name="Highlight in green").wait_for()
    whole = paragraph(page).evaluate(
        """(place) => {
             getSelection().selectAllChildren(place);
             document.querySelector("[data-note-bar] [data-colour=green]").click();
             return place.textContent.trim();
           }"""
    )
    assert marked(page).strip() == whole


def test_a_note_is_written_on_a_quotation_changed_and_deleted(visit: Open) -> None:
    page = open_lesson(visit)
    select(page, paragraph(page))
    page.get_by_role("button", name="Highlight and write a note").click()
    write(page, "Is this so?")
    saved(page, 1)
    page.reload()
    page.get_by_role("button", name="Your note: Is this so?").click()
    box = page.get_by_role("textbox", name="Your note, only you")
    expect(box).to_have_value("Is this so?")
    page.get_by_role("radio", name="Blue").check()
    write(page, "It is.")
    expect(page.locator("mark.blue").first).to_be_visible()
    expect(page.locator(".notes-list .written")).to_have_text("It is.")
    page.locator("mark.blue").first.click()
    page.get_by_role("button", name="Delete", exact=True).click()
    saved(page, 0)
    assert page.locator("mark[data-notes]").count() == 0
    page.reload()
    saved(page, 0)


def test_the_keyboard_alone_chooses_highlights_and_writes(visit: Open) -> None:
    page = visit(LESSON)
    page.keyboard.press("h")
    expect(page.locator("[data-note-said]")).to_contain_text("arrows move by a word")
    assert page.evaluate("getSelection().toString().trim()") == "How"
    page.keyboard.press("ArrowRight")
    for _ in range(2):
        page.keyboard.press("Shift+ArrowRight")
    assert page.evaluate("getSelection().toString().trim()") == "would you write"
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Highlight in yellow")).to_be_focused()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Your note, only you")).to_be_focused()
    page.keyboard.type("by keyboard")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("button", name="Your note: by keyboard")).to_be_focused()
    expect(page.locator("mark[data-notes]").first).to_be_visible()
    page.wait_for_function(
        """() => [...document.querySelectorAll("mark[data-notes]")].map((one) => one.textContent).join("")
            === "would you write" """
    )
    saved(page, 1)
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Your note, only you")).to_have_value("by keyboard")
    page.keyboard.press("Escape")
    expect(page.get_by_role("textbox", name="Your note, only you")).to_be_hidden()
    page.keyboard.press("n")
    page.keyboard.type("on the section")
    page.keyboard.press("Control+Enter")
    saved(page, 2)


def test_choosing_with_the_keyboard_ends_with_escape(visit: Open) -> None:
    page = open_lesson(visit)
    expect(page.locator(".section-note button").first).to_be_visible()
    page.keyboard.press("h")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+ArrowDown")
    assert page.evaluate("getSelection().toString()").startswith("A clock solves the same problem")
    page.keyboard.press("Escape")
    assert page.evaluate("getSelection().toString()") == ""


def test_a_finger_opens_a_highlight_and_writes(visit: Open) -> None:
    page = open_lesson(visit, width=360, height=740, has_touch=True, is_mobile=True)
    select(page, paragraph(page))
    page.get_by_role("button", name="Highlight in blue").tap()
    saved(page, 1)
    page.locator("mark.blue").first.tap()
    page.get_by_role("textbox", name="Your note, only you").fill("tapped")
    page.get_by_role("button", name="Save", exact=True).tap()
    expect(page.locator(".notes-list .written")).to_have_text("tapped")


def test_a_section_has_a_note_without_anything_selected(visit: Open) -> None:
    page = open_lesson(visit)
    page.get_by_role("button", name="Write a note on “One row by hand”").click()
    write(page, "Work through it on paper.")
    saved(page, 1)
    page.reload()
    wake(page)
    page.get_by_role("button", name="Your note on “One row by hand”").click()
    expect(page.get_by_role("textbox", name="Your note, only you")).to_have_value("Work through it on paper.")


def test_a_formula_is_marked_whole_and_stays_a_formula(visit: Open) -> None:
    page = open_lesson(visit)
    all_of_them = "[...document.querySelectorAll('.prose > :is(p, .math) math')].map((one) => one.outerHTML)"
    formulas = page.evaluate(all_of_them)
    select(page, paragraph(page, 1), paragraph(page, 3))
    page.get_by_role("button", name="Highlight in yellow").click()
    saved(page, 1)
    expect(page.locator("mark math").first).to_be_visible()
    assert page.evaluate(all_of_them) == formulas
    assert "d_model/2" in (page.locator(".quoted").text_content() or "")
    page.reload()
    expect(page.locator("mark math").first).to_be_visible()
    assert page.evaluate(all_of_them) == formulas


@pytest.mark.parametrize("wall", [".question", ".cell"])
def test_what_goes_across_a_question_or_a_cell_is_cut_there(visit: Open, wall: str) -> None:
    page = open_lesson(visit, WITH_CELL)
    place = page.locator(f".prose > {wall}, .prose > form:has({wall})").first
    before = place.locator("xpath=preceding-sibling::p[1]")
    after = place.locator("xpath=following-sibling::p[1]")
    whole = place.evaluate("(place) => place.outerHTML")
    select(page, before, after)
    expect(page.locator(".note-bar")).to_contain_text("questions and cells are left out")
    page.get_by_role("button", name="Highlight in yellow").click()
    saved(page, 1)
    quoted = re.sub(r"\s+", " ", page.locator(".quoted").text_content() or "")
    assert quoted.split()[:4] == (before.text_content() or "").split()[:4]
    assert place.evaluate("(place) => place.outerHTML") == whole


def test_within_a_question_nothing_is_highlighted_and_it_says_why(visit: Open) -> None:
    page = open_lesson(visit, WITH_CELL)
    select(page, page.locator(".question p").first)
    expect(page.locator(".note-bar")).to_contain_text("Questions, cells and exercises take no highlight")
    expect(page.get_by_role("button", name="Highlight in yellow")).to_be_hidden()


def test_a_highlighted_listing_is_still_copied_as_it_was(visit: Open) -> None:
    page = open_lesson(visit, permissions=["clipboard-read", "clipboard-write"])
    listing = page.locator(".prose pre.code").first
    code = listing.text_content()
    select(page, listing)
    page.get_by_role("button", name="Highlight and write a note").click()
    write(page, "try it")
    saved(page, 1)
    page.get_by_role("button", name="Copy this code").first.click()
    expect(page.get_by_role("button", name="Copy this code").first).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == code


def test_what_is_typed_survives_a_reload_before_it_is_saved(visit: Open) -> None:
    page = open_lesson(visit)
    select(page, paragraph(page))
    page.get_by_role("button", name="Highlight and write a note").click()
    page.get_by_role("textbox", name="Your note, only you").fill("half a thought")
    page.reload()
    box = page.get_by_role("textbox", name="Your note, only you")
    expect(box).to_have_value("half a thought")
    write(page, "a whole thought")
    saved(page, 1)
    page.reload()
    expect(page.get_by_role("button", name="Your note: a whole thought")).to_be_visible()
    expect(box).to_be_hidden()


@pytest.mark.extra
def test_what_is_typed_below_the_list_survives_a_reload_and_a_new_list(visit: Open) -> None:
    page = open_lesson(visit)
    page.locator(".my-notes summary").click()
    box = page.locator(".new-note textarea")
    box.fill("half a thought")
    page.get_by_role("button", name="Write a note on “One row by hand”").click()
    write(page, "another")
    saved(page, 1)
    expect(box).to_have_value("half a thought")
    page.reload()
    expect(box).to_have_value("half a thought")
    page.locator(".my-notes summary").click()
    page.get_by_role("button", name="Add note").click()
    saved(page, 2)
    expect(box).to_have_value("")


@pytest.mark.complains("ERR_FAILED", "ERR_INTERNET_DISCONNECTED")
def test_what_is_saved_without_a_connection_comes_when_it_is_back(visit: Open) -> None:
    page = open_lesson(visit)
    expect(page.locator(".section-note button").first).to_be_visible()
    page.route("**/*", lambda route: route.abort() if "/static/" not in route.request.url else route.continue_())
    select(page, paragraph(page))
    page.get_by_role("button", name="Highlight and write a note").click()
    write(page, "written on a train")
    expect(page.locator("[data-note-said]")).to_contain_text("kept in this browser")
    expect(page.get_by_role("button", name="Your note: written on a train")).to_be_visible()
    page.unroute_all()
    saved(page, 1)
    page.reload()
    expect(page.get_by_role("button", name="Your note: written on a train")).to_be_visible()


@pytest.mark.extra
@pytest.mark.complains("ERR_FAILED")
def test_a_note_whose_answer_is_lost_is_stored_once(visit: Open) -> None:
    page = open_lesson(visit)
    page.route("**/notes", first_only(lose_reply))
    highlight(page, paragraph(page))
    saved(page, 1)
    page.reload()
    saved(page, 1)


@pytest.mark.extra
def test_of_two_tabs_both_versions_are_kept(visit: Open) -> None:
    page = open_lesson(visit)
    page.get_by_role("button", name="Write a note on “One row by hand”").click()
    write(page, "first")
    saved(page, 1)
    other = page.context.new_page()
    other.goto(LESSON)
    wake(other)
    for tab, text in ((page, "from one tab"), (other, "from the other")):
        tab.get_by_role("button", name="Your note on “One row by hand”").click()
        write(tab, text)
        expect(tab.locator(".notes-list .written").last).to_have_text(text)
    expect(other.locator(".notes-status")).to_contain_text("Both versions are kept")
    expect(other.locator(".notes-list .written")).to_have_text(["from one tab", "from the other"])


@pytest.mark.extra
@pytest.mark.complains("404")
def test_what_is_changed_here_and_was_deleted_there_is_kept_as_a_new_note(visit: Open) -> None:
    page = open_lesson(visit)
    highlight(page, paragraph(page))
    saved(page, 1)
    other = page.context.new_page()
    other.goto(LESSON)
    wake(other)
    other.locator("mark").first.click()
    other.get_by_role("button", name="Delete", exact=True).click()
    saved(other, 0)
    page.locator("mark").first.click()
    with page.expect_response(lambda answer: answer.url.endswith("/notes") and answer.request.method == "POST"):
        write(page, "still needed")
    other.reload()
    expect(other.locator(".notes-list .written")).to_have_text("still needed")


@pytest.mark.complains("413")
def test_what_the_server_refuses_stays_in_the_browser_and_says_why(visit: Open) -> None:
    page = open_lesson(visit)
    page.get_by_role("button", name="Write a note on “One row by hand”").click()
    box = page.get_by_role("textbox", name="Your note, only you")
    box.evaluate("(box) => { box.removeAttribute('maxlength'); }")
    write(page, "x" * 4001)
    expect(page.locator("[data-note-said]")).to_contain_text("4,000 fit")
    page.reload()
    wake(page)
    page.get_by_role("button", name="Your note on “One row by hand”").click()
    expect(box).to_have_value("x" * 4001)
    write(page, "short")
    saved(page, 1)


@pytest.fixture
def draft_site(tmp_path: Path) -> Iterator[tuple[Running, Path]]:
    """A site with a lesson that can be edited."""
    course = tmp_path / "lessons" / "demo"
    course.mkdir(parents=True)
    (course / "course.toml").write_text('title = "Demo"\nblurb = "One lesson."\n')
    edit(course, "## First\n\nThe same words. Then more.\n\n## Second\n\nThe same words. Then others.\n\nGoes soon.")
    settings = Settings(data=tmp_path / "var", workers=0, rate_limits="off", lessons=(course.parent,))
    with running(settings) as server:
        yield server, course


def edit(course: Path, text: str) -> None:
    (course / "01-one.md").write_text(f"---\ntitle: One\n---\n{text}\n")


def test_an_edited_lesson_finds_its_notes_again_or_says_what_has_changed(
    chromium: Browser, draft_site: tuple[Running, Path]
) -> None:
    server, course = draft_site
    page = chromium.new_page(base_url=server.url, reduced_motion="reduce")
    page.goto("/courses/demo/one")
    select(page, paragraph(page, 1))
    page.get_by_role("button", name="Highlight and write a note").click()
    write(page, "on the second")
    highlight(page, paragraph(page, 2), "green")
    saved(page, 2)
    edit(course, "## New\n\nThe same words. Then more.\n\n## Second\n\nNow: the same.\nThe same *words*. Then others.")
    server.state.catalog.import_folders([], [course.parent])
    page.reload()
    expect(page.locator("mark").first).to_be_visible()
    assert re.sub(r"\s+", " ", marked(page)) == "The same words. Then others."
    assert page.locator("h2#second ~ p mark").count() == page.locator(".prose mark").count()
    summary = page.locator(".my-notes summary")
    expect(summary).to_contain_text("1 on text that has changed")
    summary.click()
    expect(page.locator(".my-notes h3").last).to_have_text("The text that this note was about has changed")
    expect(page.locator(".notes-list .quoted").last).to_have_text("Goes soon.")
    page.context.close()


@pytest.mark.extra
def test_a_link_in_the_list_of_all_leads_to_the_words(visit: Open) -> None:
    page = open_lesson(visit)
    highlight(page, page.locator("#in-short ~ ul li, #in-short ~ p").first)
    saved(page, 1)
    page.goto("/me")
    page.get_by_role("link", name="My notes").click()
    page.get_by_role("link", name="Show in the lesson").click()
    expect(page.locator("mark").first).to_be_in_viewport()
    expect(page.get_by_role("button", name="Your highlight")).to_be_focused()


@pytest.mark.extra
@pytest.mark.parametrize(
    ("width", "theme"), [*LOOKS, *(pytest.param(ZOOMED, theme, marks=pytest.mark.extra) for theme in ("light", "dark"))]
)
def test_a_lesson_with_notes_is_sound(visit: Open, width: int, theme: str) -> None:
    zoom: dict[str, Any] = {"height": 400, "device_scale_factor": 2} if width == ZOOMED else {}
    page = open_lesson(visit, width=width, theme=theme, **zoom)
    highlight(page, page.locator(".prose > pre.code").first, "blue")
    highlight(page, page.locator(".prose > p:has(a:not(sup a))").first, "green")
    highlight(page, paragraph(page))
    select(page, paragraph(page, 1))
    page.get_by_role("button", name="Highlight and write a note").click()
    write(page, "a note on it")
    saved(page, 4)
    page.locator(".my-notes summary").click()
    assert_sound(page, width, theme)
    select(page, paragraph(page))
    expect(page.locator(".note-bar")).to_be_visible()
    assert_sound(page, width, theme)
    page.get_by_role("button", name="Highlight and write a note").click()
    expect(page.locator(".note-card")).to_be_in_viewport(ratio=0.99)
    assert_sound(page, width, theme)
    page.get_by_role("button", name="Cancel").click()
    for path in (
        "/me/notes",
        re.sub(r".*(?=/me)", "", page.locator("[data-edit-note]").first.evaluate("(a) => a.href")),
    ):
        page.goto(path)
        assert_sound(page, width, theme)


@pytest.mark.extra
def test_paper_has_the_highlights_and_the_notes_in_full(visit: Open) -> None:
    page = open_lesson(visit)
    page.emulate_media(media="print")
    expect(page.locator(".my-notes")).to_be_hidden()
    page.emulate_media(media="screen")
    select(page, paragraph(page))
    page.get_by_role("button", name="Highlight and write a note").click()
    write(page, "a note on it")
    saved(page, 1)
    page.emulate_media(media="print")
    expect(page.locator(".notes-list .written")).to_be_visible()
    expect(page.locator("mark").first).to_be_visible()
    expect(page.locator(".new-note")).to_be_hidden()
    expect(page.locator(".section-note button").first).to_be_hidden()


def test_without_a_script_notes_are_listed_added_changed_and_deleted(visit: Open) -> None:
    page = visit(LESSON, java_script_enabled=False)
    page.locator(".my-notes summary").click()
    page.get_by_label("Note on a section").select_option("One row by hand")
    page.get_by_role("textbox", name="Your note").fill("written without a script")
    page.get_by_role("button", name="Add note").click()
    note = page.locator(".my-notes").get_by_text("written without a script")
    expect(note).to_be_in_viewport()
    assert_sound_without_script(page)
    page.get_by_role("link", name="Edit or delete the note").click()
    page.get_by_label("Your note").fill("changed")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".my-notes").get_by_text("changed")).to_be_visible()
    page.get_by_role("link", name="Edit or delete the note").click()
    page.get_by_role("button", name="Delete this note").click()
    expect(page.get_by_text("You have no notes yet")).to_be_visible()


def assert_sound_without_script(page: Page) -> None:
    expect(page.locator(".my-notes h3")).to_have_text("One row by hand")
    expect(page.locator(".section-note")).to_have_count(0)


def test_a_page_that_nobody_wrote_on_asks_the_server_for_nothing_more(visit: Open) -> None:
    page = visit("about:blank")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(LESSON)
    until_quiet(page)
    assert {url.rpartition("/")[2] for url in asked if "/notes" in url} == {"wanted.js", "notes.js"}
    assert not [cookie for cookie in page.context.cookies() if cookie["name"] == "lectern"]
    wake(page)
