"""Every page, at each width and in both themes: no complaint, nothing sideways, nothing that axe objects to."""

import re
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Page, expect

from app.people import accounts
from app.people.users import user_by_email
from app.teaching.beginnings import new_course
from app.teaching.subjects import Subject
from tests.app.thresholds import thresholds
from tests.browser.authors import draft
from tests.browser.conftest import LOOKS, MORE_LOOKS, Looks, Open, look, source_of
from tests.browser.quiet import until_quiet
from tests.browser.soundness import SHIFTS, assert_sound
from tests.conftest import Running

PAGES = {
    "home": "/",
    "course": "/courses/positions",
    "lesson 1": "/courses/positions/why-order-matters",
    "lesson 2": "/courses/positions/sinusoidal-encodings",
    "lesson 3": "/courses/positions/learned-embeddings",
    "lesson 4": "/courses/positions/rotary-and-alibi",
    "lesson 5": "/courses/positions/test-your-understanding",
    "exercises": "/exercises",
    "no such exercises": "/exercises?tag=none",
    "gather": "/exercises/learned-absolute-position-embedding",
    "sample": "/exercises/learned-absolute-position-embedding/samples/2/returns",
    "flax": "/exercises/flax-learned-pos",
    "softmax": "/exercises/softmax-rows",
    "give up": "/exercises/flax-learned-pos/give-ups/new",
    "progress": "/progress",
    "review": "/review",
    "my data": "/me",
    "my notes": "/me/notes",
    "delete me": "/me/deletion",
    "search": "/search?q=d_model",
    "nothing found": "/search?q=okapi",
    "sign up": "/users/new",
    "sign in": "/sessions/new",
    "forgot password": "/password-resets/new",
    "my password": "/me/password",
}

# Pages that are built like one of the others. They run with `--all`.
ALIKE = ("lesson 1", "lesson 2", "lesson 4", "no such exercises", "softmax", "nothing found", "my password")

# What only authors see. Pages with something of a student's or of the gate's on them are looked at where it is made:
# test_author_desk, test_author_journey, test_authored_questions.
AUTHORS_PAGES = {
    "author": "/author",
    "an exercise's desk": "/author/exercise/thresholds",
    "a course's desk": "/author/course/a-small-course",
    "another name": "/author/exercise/learned-absolute-position-embedding/name",
    "history": "/author/course/a-small-course/revisions",
    "who may author": "/author/exercise/thresholds/authors",
    "questions": "/author/course/positions/questions",
    "question": "/author/course/positions/questions/learned-embeddings/parameter-count",
    "what students did": "/author/exercise/softmax-rows/outcomes",
    "what a course's did": "/author/course/positions/outcomes",
    "wrong answers": "/author/course/positions/outcomes/learned-embeddings/parameter-count?answer=7",
    "preview of a course": "/preview/courses/positions",
    "preview of a lesson": "/preview/courses/positions/learned-embeddings",
    "preview of an exercise": "/preview/exercises/learned-absolute-position-embedding",
    "gallery": "/author/gallery",
    "gallery's questions": "/author/gallery/questions",
    "gallery's exercise": "/author/gallery/exercises/share-of-row",
}

# What only admins see.
ADMINS_PAGES = {
    "installation": "/admin",
    "audit log": "/admin/audit",
    "nothing in the audit log": "/admin/audit?email=nobody@example.org",
    "people": "/users",
}

AUTHOR = "author@pages.example"
ADMIN = "admin@pages.example"
ZOOMED = 640  # what a page of 1280 pixels has at a zoom of 200 %


@pytest.mark.parametrize("looks", MORE_LOOKS)
@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=pytest.mark.extra if each in ALIKE else []) for each in PAGES]
)
def test_a_page_is_sound_and_light_and_stands_still_while_it_loads(visit: Open, name: str, looks: Looks) -> None:
    """On a wide screen, then loaded again for each look."""
    page = visit("about:blank", theme=looks[0][1])
    assert_light_and_still(page, PAGES[name], quiet=True)
    for width, theme in looks:
        look(page, width, theme)
        page.reload()
        assert page.locator("figure.lab fieldset:disabled").count() == 0
        assert_sound(page, width, theme)
    assert_fits_at_twice_its_size(page)


@pytest.mark.complains("404")
def test_a_page_that_is_not_there_says_so_in_our_own_words(visit: Open) -> None:
    page = visit("/courses/nothing", width=360)
    expect(page.get_by_role("heading", level=1)).to_have_text("Not found")
    assert_sound(page, 360)


@pytest.mark.parametrize("looks", MORE_LOOKS)
@pytest.mark.parametrize("path", ["mistakes/wrong-axis.py", "mistakes/ids-not-cast.py", "reference.py"])
def test_a_verdict_is_sound(visit: Open, path: str, looks: Looks) -> None:
    page = visit(PAGES["gather"])
    page.locator("#source").evaluate(
        "(area, code) => { area.value = code; }", source_of("learned-absolute-position-embedding", path)
    )
    page.get_by_role("button", name="Submit").click()
    submission = page.locator("#verdict .panel[data-state=finished] header a").get_attribute("href") or ""
    for width, theme in looks:
        look(page, width, theme)
        page.goto(PAGES["gather"])
        page.locator("#verdict .panel[data-state=finished]").wait_for()
        page.evaluate("document.querySelectorAll('#verdict details').forEach((one) => { one.open = true; })")
        assert_sound(page, width, theme)
        page.goto(submission)
        assert_sound(page, width, theme)


@pytest.mark.complains("403", "404", "422")
@pytest.mark.parametrize("looks", MORE_LOOKS)
@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/submissions/1/cases/1/arrays", 404),
        ("/exercises/flax-learned-pos/differences?pick=starter", 422),
        ("/exercises/flax-learned-pos/solution", 403),
    ],
)
def test_an_error_is_a_page_as_sound_as_the_others(visit: Open, path: str, status: int, looks: Looks) -> None:
    page = visit("/")
    for width, theme in looks:
        look(page, width, theme)
        answer = page.goto(path)
        assert answer is not None
        assert answer.status == status
        assert_sound(page, width, theme)


@pytest.mark.parametrize("looks", MORE_LOOKS)
def test_what_solving_opens_is_sound(visit: Open, looks: Looks) -> None:
    slug = "learned-absolute-position-embedding"
    page = visit(f"/exercises/{slug}")
    page.locator("#source").evaluate("(area, code) => { area.value = code; }", source_of(slug, "reference.py"))
    page.get_by_role("button", name="Submit").click()
    page.locator("#verdict .panel[data-state=finished]").wait_for()
    for width, theme in looks:
        look(page, width, theme)
        for path in ("submissions", "solutions", "solution"):
            answer = page.goto(f"/exercises/{slug}/{path}")
            assert answer is not None
            assert answer.status == 200
            assert_sound(page, width, theme)


@pytest.mark.parametrize("looks", MORE_LOOKS)
def test_a_cases_arrays_are_sound_on_a_page_of_their_own(visit: Open, looks: Looks) -> None:
    slug = "learned-absolute-position-embedding"
    page = visit(f"/exercises/{slug}")
    page.locator("#source").evaluate(
        "(area, code) => { area.value = code; }", source_of(slug, "mistakes/ids-ignored.py")
    )
    page.get_by_role("button", name="Submit").click()
    submission = page.locator("#verdict .panel[data-state=finished] header a").get_attribute("href")
    for width, theme in looks:
        look(page, width, theme)
        for what in ("arrays", "inputs"):
            page.goto(f"{submission}/cases/2/{what}")
            expect(page.locator(".arrays").first).to_be_visible()
            page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
            assert_sound(page, width, theme)


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_the_statements_samples_are_sound_with_everything_open(visit: Open, width: int, theme: str) -> None:
    page = visit(PAGES["gather"], width=width, theme=theme)
    page.evaluate("document.querySelectorAll('.samples details').forEach((one) => { one.open = true; })")
    expect(page.locator(".samples a[data-arrays-from]")).to_have_count(0)
    page.evaluate("document.querySelectorAll('.samples details').forEach((one) => { one.open = true; })")
    assert_sound(page, width, theme)


@pytest.mark.extra
@pytest.mark.parametrize("looks", MORE_LOOKS)
@pytest.mark.parametrize("lesson", ["sinusoidal-encodings", "learned-embeddings"])
def test_a_lesson_that_was_worked_through_is_sound(visit: Open, lesson: str, looks: Looks) -> None:
    """Its cells run, one of several into an error, and everything open that opens."""
    page = visit(f"/courses/positions/{lesson}")
    first, *more = page.locator(".cell").all()
    if more:
        first.locator("textarea").click()
        first.locator(".cm-content").click()
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.insert_text("print('mine')\n1 / 0")
    for cell in (first, *more):
        cell.get_by_role("button", name="Run").click()
        expect(cell.get_by_role("status")).to_have_text(re.compile(r"^(Ran in|\w+Error)"))
        expect(cell.locator("[aria-busy=true]")).to_have_count(0)
    if more:
        expect(first.locator(".cell-error")).to_contain_text("ZeroDivisionError")
    page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
    assert page.locator("figure.lab fieldset:enabled").count() == page.locator("figure.lab").count() > 0
    for width, theme in looks:
        look(page, width, theme)
        assert_sound(page, width, theme)


@pytest.mark.extra
@pytest.mark.parametrize("looks", MORE_LOOKS)
@pytest.mark.parametrize("path", ["solutions/numpy-loops.py", "mistakes/ids-not-cast.py"])
def test_a_trace_is_sound(visit: Open, path: str, looks: Looks) -> None:
    page = visit(PAGES["gather"])
    page.locator("#source").evaluate(
        "(area, code) => { area.value = code; }", source_of("learned-absolute-position-embedding", path)
    )
    page.get_by_role("button", name="Trace").click()
    submission = page.locator("#verdict .panel[data-state=finished] header a").get_attribute("href") or ""
    for width, theme in looks:
        look(page, width, theme)
        page.goto(PAGES["gather"])
        page.locator("#verdict .panel[data-state=finished] .trace").wait_for()
        page.evaluate("document.querySelectorAll('#verdict details').forEach((one) => { one.open = true; })")
        assert_sound(page, width, theme)
        page.goto(submission)
        page.evaluate("document.querySelectorAll('.trace details').forEach((one) => { one.open = true; })")
        assert_sound(page, width, theme)


@pytest.mark.extra
@pytest.mark.complains("422")
def test_an_answered_question_is_sound(visit: Open) -> None:
    page = visit("/courses/positions/learned-embeddings", width=360)
    for question in page.locator(".question").all():
        if question.locator(".option").count():
            question.locator(".option input").first.check()
        elif not question.locator(".order-line").count():
            for menu in question.get_by_role("combobox").all():
                menu.select_option(index=1)
            for place, box in enumerate(question.get_by_role("textbox").all()):
                box.fill("3" if place else "(1, 2)")
        question.locator(".button-row button").click()
        question.locator(".mark").wait_for()
    assert_sound(page, 360)


@pytest.mark.extra
@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_a_sitting_is_sound_from_its_start_to_its_review(visit: Open, width: int, theme: str) -> None:
    """The start is lesson 5 above. Each page is light and stands still, too."""
    page = visit("/courses/positions/test-your-understanding", width=width, theme=theme)
    page.add_init_script(SHIFTS)

    def assert_page(heading: str) -> None:
        expect(page.get_by_role("heading", level=1)).to_have_text(heading)
        assert_sound(page, width, theme)
        assert page.evaluate("shifted") == 0
        sizes = "performance.getEntriesByType('resource').reduce((sum, one) => sum + one.encodedBodySize, 0)"
        assert page.evaluate(sizes) <= 200 << 10

    page.get_by_role("button", name="Start").click()
    page.locator("input[type=text]").fill("(max_len, d_model")
    expect(page.locator("[data-read]")).to_contain_text("Not readable yet")
    page.get_by_label("Flag").check()
    expect(page.locator("[data-saved]")).to_have_text("Saved")
    assert_page("Question 1 of 8")
    page.get_by_role("button", name="Question 3").click()
    page.get_by_role("radio").first.check()
    assert_page("Question 3 of 8")
    page.get_by_role("button", name="Question 8").click()
    expect(page.get_by_role("button", name="Finish")).to_be_visible()
    for narrow in (width, min(width, 320)):  # the buttons stand over the page: nothing but this sees them stick out
        page.set_viewport_size({"width": narrow, "height": 740})
        places = page.locator(".sitting .actions button").evaluate_all(
            "all => all.map((one) => [one.getBoundingClientRect().right, one.getBoundingClientRect().height])"
        )
        assert all(right <= narrow and height < 50 for right, height in places), places
    page.set_viewport_size({"width": width, "height": 740})
    page.get_by_role("button", name="Overview").click()
    assert_page("Before you submit")
    page.get_by_role("button", name="Submit").click()
    assert_page(page.get_by_role("heading", name=" of 8").inner_text())
    page.get_by_role("link", name="Back to the quiz").click()
    assert_page("Test your understanding")


@pytest.mark.parametrize("looks", MORE_LOOKS)
@pytest.mark.parametrize("name", AUTHORS_PAGES)
def test_an_authors_page_is_sound_and_light_and_stands_still(
    visit: Open, site: Running, name: str, looks: Looks
) -> None:
    """All widths of one page: it is laid out again, not loaded again."""
    page = visit("about:blank", theme=looks[0][1])
    page.context.add_cookies([{"name": "lectern", "value": author_of(site), "url": site.url}])
    # A desk follows its check for as long as that takes: the network need not come to rest.
    assert_light_and_still(page, AUTHORS_PAGES[name], quiet=False)
    for width, theme in looks:
        look(page, width, theme)
        assert_sound(page, width, theme)
        if width >= 1000:
            columns = page.locator("main .prose").evaluate_all("all => all.map(one => one.clientWidth)")
            assert all(column >= 300 for column in columns), f"text is squeezed: {columns}"
    assert_fits_at_twice_its_size(page)


@pytest.mark.parametrize("looks", MORE_LOOKS)
@pytest.mark.parametrize("name", ADMINS_PAGES)
def test_an_admins_page_is_sound_and_light_and_stands_still(
    visit: Open, site: Running, name: str, looks: Looks
) -> None:
    page = visit("about:blank", theme=looks[0][1])
    page.context.add_cookies([{"name": "lectern", "value": admin_of(site), "url": site.url}])
    assert_light_and_still(page, ADMINS_PAGES[name], quiet=True)
    for width, theme in looks:
        look(page, width, theme)
        assert_sound(page, width, theme)
    assert_fits_at_twice_its_size(page)


def assert_fits_at_twice_its_size(page: Page) -> None:
    """As on a screen of 1280 pixels at a zoom of 200 %."""
    page.set_viewport_size({"width": ZOOMED, "height": 450})
    assert page.evaluate("document.documentElement.scrollWidth") <= ZOOMED


def admin_of(site: Running) -> str:
    """A login of the admin, who is added at the first, and disables somebody."""
    with site.state.db.reading() as db:
        is_known = user_by_email(db, ADMIN) is not None
    if not is_known:
        accounts.add_user(site.state.db, ADMIN, "admin", None)
        left = accounts.add_user(site.state.db, "who.left.last.year@department.pages.example", "student", None)
        headers = {"Authorization": f"Bearer {accounts.make_token(site.state.db, ADMIN)}"}
        with site.client(**headers) as client:
            done = client.post(f"/users/{left.id}/access", data={"what": "disabled"})
            assert done.status_code == 303
    return accounts.make_token(site.state.db, ADMIN)


def author_of(site: Running) -> str:
    """A login of the author, who is added at the first."""
    with site.state.db.reading() as db:
        is_known = user_by_email(db, AUTHOR) is not None
    if not is_known:
        accounts.add_user(site.state.db, AUTHOR, "instructor", None)
        draft(site, Subject("exercise", "thresholds"), thresholds())
        draft(site, Subject("course", "a-small-course"), new_course("a-small-course"))
    return accounts.make_token(site.state.db, AUTHOR)


def assert_light_and_still(page: Page, path: str, *, quiet: bool) -> None:
    page.add_init_script(SHIFTS)
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.send("Network.setCacheDisabled", {"cacheDisabled": True})
    addresses: dict[str, str] = {}
    weights: dict[str, float] = {}
    wire.on("Network.requestWillBeSent", lambda sent: addresses.update({sent["requestId"]: sent["request"]["url"]}))
    wire.on("Network.loadingFinished", lambda done: weights.update({done["requestId"]: done["encodedDataLength"]}))
    answer = page.goto(path)
    if quiet:
        until_quiet(page)
    assert answer is not None
    assert answer.status == 200
    page.evaluate("document.fonts.ready")
    wire.detach()
    # Not of the page: the editor comes after it, and notes when somebody moves, as a slow browser does by itself.
    later = ("/vendor/code", "/vendor/author", "/js/notes/", "/css/notes")
    at_once = {
        addresses[one]: weight for one, weight in weights.items() if not any(part in addresses[one] for part in later)
    }
    assert 0 < sum(at_once.values()) <= 200 << 10, sorted(at_once.items(), key=lambda one: -one[1])[:8]
    assert page.evaluate("shifted") == 0


@pytest.fixture
def stuttering(site: Running) -> Iterator[str]:
    """The address of the same site over a connection that brings a page in pieces, its styles before its text."""

    class Stuttering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            with site.client() as client:
                answer = client.get(self.path)
            type = answer.headers.get("content-type", "")
            self.send_response(answer.status_code)
            self.send_header("Content-Type", type)
            self.end_headers()
            pieces = [answer.content]
            if type.startswith("text/html"):
                head, body = re.split(b"(?=<body)", answer.content)
                self.wfile.write(head)
                time.sleep(0.5)
                pieces = re.split(rb"(?=<summary|<h1|<form|<div|<p[ >])", body)
            for piece in pieces:
                self.wfile.write(piece)
                time.sleep(0.02 if len(pieces) > 1 else 0)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Stuttering) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("name", ["home", "exercises", "gather"])
def test_a_page_that_comes_in_pieces_stands_still(visit: Open, stuttering: str, name: str) -> None:
    page = visit("about:blank", cold=True)
    page.add_init_script(SHIFTS)
    page.goto(stuttering + PAGES[name])
    until_quiet(page)
    assert page.evaluate("shifted") == 0


def test_the_theme_is_remembered_by_the_server(visit: Open) -> None:
    page = visit("/", theme="light")
    assert page.evaluate("getComputedStyle(document.body).colorScheme") != "dark"
    page.get_by_role("button", name="Dark").click()
    page.goto("/exercises")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="System").click()
    page.reload()
    assert page.locator("html").get_attribute("data-theme") is None


def test_the_first_stop_of_the_keyboard_skips_to_the_content(visit: Open) -> None:
    page = visit("/exercises")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_static_files_are_immutable_at_their_own_address_only(site: Running) -> None:
    from app.web.assets import assets

    with site.client() as client:
        now = client.get(assets.url("css/tokens.css"))
        old = client.get("/static/000000000000/css/tokens.css")
        outside = client.get(f"/static/{assets.version}/../rendering.py")
    assert "immutable" in now.headers["cache-control"]
    assert old.text == now.text
    assert old.headers["cache-control"] == "no-cache"
    assert outside.status_code == 404
