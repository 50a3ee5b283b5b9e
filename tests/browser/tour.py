"""`.venv/bin/python -m tests.browser.tour [NAME…]`: the pictures of docs/tour.md, taken again.

A server of its own over an empty data folder, six students who have solved an exercise, and one who walks the tour.
Each picture is taken at two widths, light and dark: docs/tour/NAME-WIDTH-THEME.png.
"""

import io
import re
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from app.settings import ROOT, Settings
from tests.browser.conftest import CHROMIUM, source_of, write_code
from tests.conftest import Running, running

PICTURES = ROOT / "docs" / "tour"
SIZES = {1280: 800, 360: 740}
THEMES = ("light", "dark")
COLOURS = 96  # a page has few; a third of the weight
GATHER = "learned-absolute-position-embedding"
FLAX = "flax-learned-pos"
QUIZ = "/courses/positions/test-your-understanding"
LESSON = "/courses/positions/sinusoidal-encodings"
SOLUTIONS = ("reference.py", "solutions/numpy-loops.py")
HEADERS = {"Sec-Fetch-Site": "same-origin"}


@dataclass(frozen=True)
class Stop:
    """A place of the tour: an address, and what is done there before the picture is taken."""

    path: str
    walk: Callable[[Page], None] = lambda page: None


def main(names: list[str]) -> None:
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="lectern-tour-") as folder, sync_playwright() as playwright:
        settings = Settings(data=Path(folder) / "var", workers=2, rate_limits="off")
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        with running(settings) as site:
            wait_until_ready(site)
            for number in range(6):
                solve(site, number)
            for width in SIZES:
                for theme in THEMES:
                    visit(browser, site, names or list(STOPS), width, theme)
        browser.close()


def wait_until_ready(site: Running) -> None:
    """The judge is warm and the cells of lessons have been run."""
    cells = list(site.state.catalog.cells())
    with site.client() as client:
        deadline = time.monotonic() + 300
        while client.get("/readyz").status_code != 200 or any(site.state.cells.output(cell) is None for cell in cells):
            assert time.monotonic() < deadline, "the judge did not come up"
            time.sleep(0.5)


def solve(site: Running, number: int) -> None:
    """One of the others: solved it, and lets others see how."""
    with site.client(**HEADERS) as student:
        student.post("/users", data={"email": f"student{number}@example.org", "password": "a well kept secret"})
        source = source_of(GATHER, SOLUTIONS[number % len(SOLUTIONS)])
        sent = student.post(f"/exercises/{GATHER}/submissions", data={"source": source, "framework": "numpy"})
        number = int(str(sent.headers["location"]).rsplit("/", 1)[1])
        while student.get(f"/api/v1/submissions/{number}").json()["state"] != "finished":
            time.sleep(0.1)
        student.post(f"/submissions/{number}/shares")


def visit(browser: Browser, site: Running, names: list[str], width: int, theme: str) -> None:
    context = browser.new_context(
        base_url=site.url,
        viewport={"width": width, "height": SIZES[width]},
        color_scheme=theme,
        reduced_motion="reduce",
        has_touch=width < 600,
    )
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto("/users/new")
    page.get_by_label("E-mail").fill(f"ada{width}{theme}@example.org")
    page.get_by_label("Password").fill("a well kept secret")
    page.locator("main").get_by_role("button", name="Sign up").click()
    for name in names:
        page.goto(STOPS[name].path, wait_until="networkidle")
        STOPS[name].walk(page)
        page.wait_for_timeout(400)
        keep(page.screenshot(), PICTURES / f"{name}-{width}-{theme}.png")
        print(f"{name}-{width}-{theme}.png")
    context.close()


def keep(picture: bytes, path: Path) -> None:
    with Image.open(io.BytesIO(picture)) as image:
        image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


# ------------------------------------------------------------------ what is done at each stop


def sent(kind: str, code: str) -> Callable[[Page], None]:
    def walk(page: Page) -> None:
        write_code(page, code)
        page.locator(f"#submit button[name=kind][value={kind}]").click()
        page.locator("#verdict .panel[data-state=finished]").wait_for()
        page.locator("#verdict").scroll_into_view_if_needed()

    return walk


def to(selector: str, block: str = "start") -> Callable[[Page], None]:
    def walk(page: Page) -> None:
        page.locator(selector).first.evaluate(f"(element) => element.scrollIntoView({{ block: '{block}' }})")

    return walk


def answered(page: Page) -> None:
    question = page.locator("[id='question-positions-learned-embeddings-shape-of-a-gather']")
    question.get_by_role("textbox").fill("(T, d_model)")
    question.get_by_role("button").first.click()
    question.locator(".mark").wait_for()
    to("[id='question-positions-learned-embeddings-shape-of-a-gather']", "center")(page)


def wrong(page: Page) -> None:
    sent("submit", source_of(GATHER, "mistakes/one-row-late.py"))(page)
    to("#verdict .arrays, #verdict .panel")(page)


def accepted(page: Page) -> None:
    sent("submit", source_of(GATHER, "reference.py"))(page)
    page.locator(".standing").get_by_text("accepted").first.wait_for()
    to("#verdict .panel")(page)


def own_input(page: Page) -> None:
    write_code(page, source_of(GATHER, "solutions/numpy-loops.py"))
    page.get_by_text("Your own input", exact=True).click()
    page.locator("#input-positions").fill("[[4, 0, 2, 2]]")
    page.get_by_role("button", name="Run on this").click()
    page.locator("#verdict .panel[data-state=finished]").wait_for()
    to(".own-input")(page)


def hinted(page: Page) -> None:
    page.locator(".hints").get_by_role("button").click()
    page.locator("#hint-1").wait_for()
    to(".hints")(page)


def searched(page: Page) -> None:
    page.keyboard.press("/")
    page.locator("dialog[open] input").fill("rotary")
    page.locator("dialog[open] [role=option]").first.wait_for()


def compared(page: Page) -> None:
    page.get_by_text("History", exact=True).click()
    boxes = page.locator(".history input[type=checkbox]")
    boxes.nth(0).check()
    boxes.nth(1).check()
    page.locator(".history").get_by_role("button", name="Compare").click()
    page.wait_for_load_state("networkidle")


def completed(page: Page) -> None:
    write_code(page, "import numpy as np\n\n\ndef learned_absolute_position_embedding(positions, embedding_table):\n")
    page.wait_for_load_state("networkidle")  # what completes is fetched when somebody comes to type
    page.keyboard.type("    return np.ta", delay=60)
    page.locator(".cm-tooltip-autocomplete").wait_for()


def sat(page: Page) -> None:
    """In the middle of a sitting: something typed, and read back."""
    page.locator("main form button.primary").click()
    page.get_by_role("textbox").first.fill("[max_len,d_model]")
    page.locator("[data-read] code").wait_for()


def handed_in(page: Page) -> None:
    page.locator("main form button.primary").click()
    page.goto(re.sub("/questions/.*", "", page.url))
    page.locator("#submission button").click()
    page.locator(".reviewed").first.wait_for()


STOPS = {
    "home": Stop("/"),
    "course": Stop("/courses/positions"),
    "lesson": Stop(LESSON),
    "lab": Stop(LESSON, to(".lab", "center")),
    "cell": Stop(LESSON, to("#cell-ripples", "start")),
    "question": Stop("/courses/positions/learned-embeddings", answered),
    "quiz": Stop(QUIZ),
    "sitting": Stop(QUIZ, sat),
    "review": Stop(QUIZ, handed_in),
    "daily": Stop("/review"),
    "search": Stop("/courses/positions", searched),
    "exercises": Stop("/exercises"),
    "desk": Stop(f"/exercises/{GATHER}"),
    "completion": Stop(f"/exercises/{GATHER}", completed),
    "hints": Stop(f"/exercises/{GATHER}#hints", hinted),
    "wrong-answer": Stop(f"/exercises/{GATHER}", wrong),
    "flax": Stop(f"/exercises/{FLAX}", sent("submit", source_of(FLAX, "mistakes/row-not-rows.py"))),
    "trace": Stop(f"/exercises/{GATHER}", sent("trace", source_of(GATHER, "solutions/numpy-loops.py"))),
    "own-input": Stop(f"/exercises/{GATHER}", own_input),
    "accepted": Stop(f"/exercises/{GATHER}", accepted),
    "differences": Stop(f"/exercises/{GATHER}", compared),
    "solutions": Stop(f"/exercises/{GATHER}/solutions"),
    "progress": Stop("/progress"),
    "my-data": Stop("/me"),
}


if __name__ == "__main__":
    main(sys.argv[1:])
