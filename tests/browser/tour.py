"""`.venv/bin/python -m tests.browser.tour [NAME…]`: the pictures of docs/tour.md, taken again.

A server of its own over an empty data folder, six students who have solved an exercise, guests who have got it wrong,
an author with a second exercise in progress, and one who walks the tour. Each picture is taken at two widths, light and
dark: docs/tour/NAME-WIDTH-THEME.png.
"""

import io
import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import httpx
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from app.people import accounts
from app.settings import ROOT, Settings
from tests.browser.conftest import CHROMIUM, source_of, write_code
from tests.browser.quiet import until_quiet, watch
from tests.conftest import Running, running
from tests.waiting import LIMIT_MS, until

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
AUTHOR = "grace@example.org"
BEGUN = "inverted-dropout"
DESK = f"/author/exercise/{BEGUN}"
LESSONS = (  # of the course, and where on each the picture is taken
    ("why-order-matters", ".lab"),
    ("learned-embeddings", ".lab"),
    ("relative-positions", "h2:nth-of-type(2)"),
    ("rotary-embeddings", ".lab"),
    ("two-dimensions", "figure"),
)
EXERCISES = (
    "rotary-position-embeddings",
    "t5-relative-buckets",
    "relative-shift",
    "packed-sequence-positions",
    "gradient-of-cross-entropy",
)

# An exercise in progress: no case has a draw that equals the rate, so the mutant with `>` survives.
IN_PROGRESS = {
    "exercise.toml": """title      = "Inverted dropout"
entry      = "inverted_dropout"
difficulty = "easy"
minutes    = 10
tags       = ["regularisation", "masks"]
frameworks = ["numpy"]

[signature]
x       = "float64[N, d_model]"
draws   = "float64[N, d_model]"
rate    = "float"
returns = "float64[N, d_model]"

[tolerance]
rtol = 1e-9
atol = 1e-12
""",
    "statement.md": r"""Dropout sets some activations to zero while a network trains, so no unit relies on another one.

You get the activations `x`, one uniform number in $[0, 1)$ for each of them in `draws`, and the `rate` at which they
are dropped. Keep an activation if its number is **at least** `rate`, and set the others to 0.

Divide what stays by the share that is kept, so that the expected value of each activation is what it was:

$$ y_{nj} = \begin{cases} x_{nj} / (1 - p) & u_{nj} \ge p \\ 0 & u_{nj} < p \end{cases} $$

where $u$ stands for `draws` and $p$ for `rate`.

At prediction time there is then nothing left to scale.

## Example

With a rate of 0.5, an activation of 3 and its number 0.7, the result is 6.
""",
    "starter.py": """import numpy as np


def inverted_dropout(x, draws, rate):
    raise NotImplementedError("return an array of the shape of x")
""",
    "reference.py": """import numpy as np


def inverted_dropout(x, draws, rate):
    keep = draws >= rate
    return np.where(keep, x / (1 - rate), 0.0)
""",
    "cases.py": """import numpy as np


def sample_cases(rng):
    x = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    yield "half of six", {"x": x, "draws": np.array([[0.1, 0.7, 0.9], [0.6, 0.2, 0.3]]), "rate": 0.5}


def hidden_cases(rng):
    for rate in (0.1, 0.3, 0.8):
        yield f"a rate of {rate}", {"x": rng.normal(size=(4, 8)), "draws": rng.uniform(size=(4, 8)), "rate": rate}
""",
    "hints.md": "1. `draws >= rate` is an array of booleans.\n2. `np.where` chooses between two arrays.\n",
    "solution.md": "A mask chooses what stays, and one division restores the expected value.\n",
    "mistakes/not-scaled.py": '''"""You do not divide by `1 - rate`, so the activations shrink on average."""

import numpy as np


def inverted_dropout(x, draws, rate):
    return np.where(draws >= rate, x, 0.0)
''',
    "mistakes/wrong-share.py": '''"""You divide by `rate`, the share that is dropped. Divide by `1 - rate`."""

import numpy as np


def inverted_dropout(x, draws, rate):
    return np.where(draws >= rate, x / rate, 0.0)
''',
}

# What guests sent: outcomes of the gather that no sentence names, and one that has a sentence. Each line is a body.
GUESSES = (
    "return embedding_table[positions.astype(int)].round(1)",
    "ids = positions.astype(int)\n    return np.round(embedding_table[ids], 1)",
    "rows = embedding_table[positions.astype(int)]  # one row per id\n    return rows.round(1)",
    "return embedding_table[positions.astype(int)] + positions[..., None]",
    "ids = positions.astype(int)\n    return embedding_table[ids] + ids[:, :, None].astype(np.float32)",
    "return np.flip(embedding_table[positions.astype(int)], axis=-1)",
    "return embedding_table[positions]",
    "return embedding_table[positions.astype(int) - 1]",
)


@dataclass(frozen=True)
class Stop:
    """A place of the tour: an address, what is done there before the picture is taken, and who may go there."""

    path: str
    walk: Callable[[Page], None] = lambda page: None
    is_authors: bool = False


def main(names: list[str]) -> None:
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="lectern-tour-") as folder, sync_playwright() as playwright:
        shipped = {"exercises": (ROOT / "exercises",), "lessons": (ROOT / "lessons",)}  # not the tests' small catalogue
        settings = Settings(data=Path(folder) / "var", workers=2, rate_limits="off").model_copy(update=shipped)
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        with running(settings) as site:
            wait_until_ready(site)
            names = names or list(STOPS)
            for number in range(6):
                solve(site, number)
            if any(STOPS[name].is_authors for name in names):
                author(site)
                for body in GUESSES:
                    guess(site, body)
            for width in SIZES:
                for theme in THEMES:
                    visit(browser, site, names, width, theme)
        browser.close()


def wait_until_ready(site: Running) -> None:
    """The judge is warm and the cells of lessons have been run."""
    cells = list(site.state.catalog.cells())
    with site.client() as client:
        until(lambda: client.get("/readyz").status_code == 200, "the judge did not come up", look_seconds=0.5)
        until(lambda: all(site.state.cells.output(cell) is not None for cell in cells), "the cells did not run")


def solve(site: Running, number: int) -> None:
    """One of the others: solved it, and lets others see how."""
    with site.client(**HEADERS) as student:
        student.post("/users", data={"email": f"student{number}@example.org", "password": "a well kept secret"})
        number = judged(student, source_of(GATHER, SOLUTIONS[number % len(SOLUTIONS)]))
        student.post(f"/submissions/{number}/shares")


def guess(site: Running, body: str) -> None:
    """A guest, who gets it wrong, opens a hint and then knows."""
    head = "import numpy as np\n\n\ndef learned_absolute_position_embedding(positions, embedding_table):\n    "
    with site.client(**HEADERS) as guest:
        judged(guest, f"{head}{body}\n")
        guest.post(f"/exercises/{GATHER}/hints")
        if len(body) % 3:
            judged(guest, source_of(GATHER, SOLUTIONS[0]))


def judged(client: httpx.Client, source: str) -> int:
    """The number of a submission of the gather, once it has its verdict."""
    sent = client.post(f"/exercises/{GATHER}/submissions", data={"source": source, "framework": "numpy"})
    number = int(str(sent.headers["location"]).rsplit("/", 1)[1])
    until(lambda: client.get(f"/api/v1/submissions/{number}").json()["state"] == "finished", look_seconds=0.1)
    return number


def author(site: Running) -> None:
    """An author who has begun an exercise, and whose checks are done."""
    accounts.add_user(site.state.db, AUTHOR, "instructor", None)
    with site.client(**signed_in(site)) as client:
        revision = {"base": None, "files": IN_PROGRESS, "message": "A first version"}
        client.post(f"/api/v1/exercises/{BEGUN}/revisions", json=revision).raise_for_status()
        until(lambda: "See what was checked" in client.get(DESK).text, "the checks did not end", look_seconds=0.5)


def signed_in(site: Running) -> dict[str, str]:
    return {"Authorization": f"Bearer {accounts.make_token(site.state.db, AUTHOR)}"}


def visit(browser: Browser, site: Running, names: list[str], width: int, theme: str) -> None:
    context = browser.new_context(
        base_url=site.url,
        viewport={"width": width, "height": SIZES[width]},
        color_scheme=theme,
        reduced_motion="reduce",
        has_touch=width < 600,
    )
    context.set_default_timeout(LIMIT_MS)
    page = context.new_page()
    watch(page)
    page.goto("/users/new")
    page.get_by_label("E-mail").fill(f"ada{width}{theme}@example.org")
    page.get_by_label("Password").fill("a well kept secret")
    page.locator("main").get_by_role("button", name="Sign up").click()
    student = context.cookies()
    for name in names:
        context.clear_cookies()
        if STOPS[name].is_authors:
            token = accounts.make_token(site.state.db, AUTHOR)
            context.add_cookies([{"name": "lectern", "value": token, "url": site.url}])
        else:
            context.add_cookies(student)
        page.goto(STOPS[name].path)
        until_quiet(page)
        STOPS[name].walk(page)
        until_quiet(page)
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
    until_quiet(page)


def completed(page: Page) -> None:
    write_code(page, "import numpy as np\n\n\ndef learned_absolute_position_embedding(positions, embedding_table):\n")
    until_quiet(page)  # what completes is fetched when somebody comes to type
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


def seen_by_author(page: Page) -> None:
    page.locator(".writing .cm-content").wait_for()
    page.locator("[data-checks] .check[data-state=finished]").wait_for()


def checked(page: Page) -> None:
    revision = page.locator("[data-checks] .check").get_attribute("data-revision")
    page.goto(f"{DESK}/checks/{revision}")
    page.locator(".mutant").first.wait_for()
    to("section:has(> .mutants)")(page)


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
    "author": Stop(DESK, seen_by_author, is_authors=True),
    "checks": Stop(DESK, checked, is_authors=True),
    "outcomes": Stop(f"/author/exercise/{GATHER}/outcomes", is_authors=True),
    "gallery": Stop("/author/gallery/questions", is_authors=True),
    **{f"lesson-{slug}": Stop(f"/courses/positions/{slug}", to(place, "center")) for slug, place in LESSONS},
    **{f"exercise-{slug}": Stop(f"/exercises/{slug}") for slug in EXERCISES},
}


if __name__ == "__main__":
    main(sys.argv[1:])
