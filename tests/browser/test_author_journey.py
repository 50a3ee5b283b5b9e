"""The whole way of a new author: begin, write, see what the cases miss, publish, and learn from a student."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from app.people import accounts
from app.settings import ROOT, Settings
from tests.app.thresholds import AT_THE_THRESHOLD, CASES, KEEPS_ALL, REFERENCE, STATEMENT, TOML, thresholds
from tests.browser.authors import author
from tests.browser.conftest import Open, write_code
from tests.conftest import Running, running
from tests.waiting import LIMIT_SECONDS, until

DESK = "/author/exercise/above-one-half"
STARTER = 'def solve(x):\n    raise NotImplementedError("return an array")\n'
PUTS_ONES = "import numpy as np\n\n\ndef solve(x):\n    return np.where(x > 0.5, x, 1.0)\n"


def write_file(page: Page, path: str, text: str) -> None:
    """Over what is there; kept, and saved with the next save."""
    page.goto(f"{DESK}?file={path}")
    editor = page.locator(".writing .cm-content")
    editor.click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(text)
    expect(page.locator("[data-draft]")).to_have_text(re.compile("Kept"))


def add_file(page: Page, path: str) -> None:
    page.get_by_text("New file or picture").click()
    page.get_by_label("Path", exact=True).fill(path)
    page.get_by_role("button", name="Add", exact=True).click()
    page.wait_for_url(lambda url: url.endswith((path, path.replace("/", "%2F"))))


def save(page: Page) -> None:
    page.keyboard.press("Control+s")
    expect(page.locator("[data-draft]")).to_have_text("Saved.")


@pytest.mark.extra
@pytest.mark.complains("409")  # a gate that is not finished within the time of a request says so by it
def test_from_an_empty_page_to_a_students_mistake(site: Running, visit: Open) -> None:
    ada = author(site, visit, "ada", "/author")
    ada.get_by_label("New exercise").fill("above-one-half")
    ada.get_by_label("New exercise").press("Enter")
    expect(ada.locator(".writing .cm-content")).to_be_visible()
    for path, text in (
        ("exercise.toml", TOML), ("statement.md", STATEMENT), ("starter.py", STARTER), ("reference.py", REFERENCE),
        ("cases.py", CASES),
    ):  # fmt: skip
        write_file(ada, path, text)
    for path in ada.locator("a[data-file^='mistakes/']").evaluate_all("all => all.map(one => one.dataset.file)"):
        ada.goto(f"{DESK}?file={path}")
        ada.get_by_text("Rename or delete this file").click()
        ada.get_by_role("button", name=re.compile("^Delete")).click()
        expect(ada.locator(f"a[data-file='{path}']")).to_have_count(0)
    add_file(ada, "mistakes/keeps-all.py")
    write_file(ada, "mistakes/keeps-all.py", KEEPS_ALL)
    save(ada)

    # The gate finds what no case tells apart, and an input that would.
    expect(ada.locator("[data-checks]")).to_contain_text("x >= 0.5")
    write_file(ada, "cases.py", CASES + AT_THE_THRESHOLD)
    ada.get_by_role("button", name="Save and publish").click()
    ready = ada.get_by_text("Students have this revision")
    again = ada.get_by_text(re.compile("not finished|still being checked", re.IGNORECASE))
    while True:
        expect(ready.or_(again).first).to_be_visible()
        if ready.is_visible():
            break
        ada.get_by_role("button", name="Save and publish").click()

    student = visit("/exercises/above-one-half")
    send(student, PUTS_ONES, "Wrong answer")
    send(student, REFERENCE, "Accepted")

    ada.goto(f"{DESK}/outcomes")
    expect(ada.locator(".clusters")).to_contain_text("np.where")
    ada.get_by_role("link", name="Make this a mistake").first.click()
    ada.get_by_label("Sentence").fill("You put 1 where the statement asks for 0.")
    ada.get_by_label("Name").fill("puts-ones")
    ada.get_by_role("button", name="Save the mistake").click()
    expect(ada.locator("main")).to_contain_text("puts-ones")
    ada.goto(f"{DESK}/outcomes")
    expect(ada.get_by_role("heading", name="Named since")).to_be_visible()


@pytest.mark.extra
def test_the_same_in_files_while_the_server_watches(chromium: Browser, tmp_path: Path) -> None:
    """From a folder to a student's mistake, which is named in the browser and comes back into the folder."""
    exercises, lessons = tmp_path / "exercises", tmp_path / "lessons"
    exercises.mkdir()
    lessons.mkdir()
    folder = exercises / "above-one-half"
    settings = Settings(
        data=tmp_path / "var", workers=1, edit="on", rate_limits="off", exercises=(exercises,), lessons=(lessons,)
    )
    with running(settings) as server:
        accounts.add_user(server.state.db, "ada@desk.example", "instructor", None)
        token = accounts.make_token(server.state.db, "ada@desk.example")
        ada = chromium.new_context(base_url=server.url).new_page()
        student = chromium.new_context(base_url=server.url).new_page()
        ada.context.add_cookies([{"name": "lectern", "value": token, "url": server.url}])
        files = thresholds()
        del files["mistakes/keeps-equal.py"]
        write_folder(folder, files)
        until_there(ada, DESK)
        expect(ada.locator("[data-checks]")).to_contain_text("x >= 0.5")

        student.goto("/exercises/above-one-half")
        (folder / "statement.md").write_text("Keep what is large. For the rest, return 0.\n")
        expect(student.get_by_text("Keep what is large.")).to_be_visible()
        write_folder(folder, thresholds(cases_py=CASES + AT_THE_THRESHOLD))
        send(student, PUTS_ONES, "Wrong answer")
        send(student, REFERENCE, "Accepted")

        ada.goto(f"{DESK}/outcomes")
        ada.get_by_role("link", name="Make this a mistake").first.click()
        ada.get_by_label("Sentence").fill("You put 1 where the statement asks for 0.")
        ada.get_by_label("Name").fill("puts-ones")
        ada.get_by_role("button", name="Save the mistake").click()
        expect(ada.locator("main")).to_contain_text("puts-ones")
        for page in (ada, student):
            page.context.close()
        environment = {**os.environ, "LECTERN_DATA": str(tmp_path / "var")}
        command = [sys.executable, "-P", "-m", "app", "export", str(tmp_path), "--drafts"]
        subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, timeout=LIMIT_SECONDS)
    assert "You put 1 where" in (folder / "mistakes" / "puts-ones.py").read_text()


def write_folder(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def until_there(page: Page, path: str) -> None:
    """The watcher sees a new folder when it is written, and the page is there a moment later."""

    def is_there() -> bool:
        reply = page.goto(path)
        return reply is not None and bool(reply.ok)

    until(is_there, f"{path} did not come", look_seconds=0.1)


def send(page: Page, code: str, verdict: str) -> None:
    write_code(page, code)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator(".verdict")).to_contain_text(verdict)
