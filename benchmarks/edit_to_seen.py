"""From a file's save to the change in an open page: `serve --edit` and a headless Chromium, on what ships.

    .venv/bin/python benchmarks/edit_to_seen.py

Of what ships the courses and one exercise are served, so that nothing else waits for the judge. A lesson and the
exercise's statement are each changed by a paragraph; of `cases.py` a sample case gets another name, and all cases are
made and answered anew in a sandbox before they can show. The clock stops when the page finds the new words in itself.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
LESSON, EXERCISE = "03-sinusoidal-encodings.md", "softmax-rows"
LOOK = """([selector, words]) => {
  window.seen = null;
  const look = () => {
    if (![...document.querySelectorAll(selector)].some((one) => one.textContent.includes(words))) return;
    window.seen = Date.now();
    observer.disconnect();
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { subtree: true, childList: true, characterData: true });
}"""


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--times", type=int, default=30)
    times = options.parse_args().times
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name in (f"exercises/{EXERCISE}", "lessons"):
            shutil.copytree(ROOT / name, folder / name)
        environment = {
            **os.environ, "LECTERN_DATA": str(folder / "var"), "LECTERN_PORT": "0",
            "LECTERN_EXERCISES": str(folder / "exercises"), "LECTERN_LESSONS": str(folder / "lessons"),
        }  # fmt: skip
        command = [sys.executable, "-m", "app", "serve", "--edit"]
        with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                found = re.search(r"http://\S+", server.stdout.readline())
                assert found
                results = measured(found[0], folder, times)
            finally:
                server.terminate()
    print(json.dumps({"load": round(os.getloadavg()[0], 1), **results}, indent=2))


def measured(url: str, folder: Path, times: int) -> dict[str, dict[str, float]]:
    exercise = folder / "exercises" / EXERCISE
    lesson, statement, cases = (
        folder / "lessons" / "positions" / LESSON,
        exercise / "statement.md",
        exercise / "cases.py",
    )
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(bypass_csp=True)  # what looks at the page is text from here
        page.set_default_timeout(300_000)
        page.goto(f"{url}/exercises/{EXERCISE}")
        page.wait_for_function("document.querySelector('.samples details')")  # the judge is warm
        wait_until_idle(page)
        source, name = cases.read_text(), first_name(cases.read_text())
        results = {
            "statement": timed(page, times, ".prose", statement, lambda n: f"{original(statement)}\n\nSaved-{n}.\n"),
            "cases.py": timed(page, times, ".samples summary", cases, lambda n: source.replace(name, f"Saved-{n}.", 1)),
        }
        page.goto(f"{url}/courses/positions/sinusoidal-encodings")
        text = lesson.read_text()
        results["lesson"] = timed(page, times, ".prose", lesson, lambda n: f"{text}\n\nSaved-{n}.\n")
        browser.close()
    return results


def original(file: Path) -> str:
    return (ROOT / "exercises" / EXERCISE / file.name).read_text()


def first_name(source: str) -> str:
    """Of the first sample case, as its author wrote it."""
    found = re.search(r'yield "([^"]+)"', source)
    assert found, "the exercise names its first case otherwise"
    return found[1]


def wait_until_idle(page: Page) -> None:
    """What starts with the server has ended: nothing waits for the judge but what is saved."""
    page.wait_for_timeout(15_000)


def timed(page: Page, times: int, selector: str, file: Path, text: Callable[[int], str]) -> dict[str, float]:
    seen = []
    for n in range(-3, times):  # the first three warm up
        page.evaluate(LOOK, [selector, f"Saved-{n}."])
        content = text(n)
        began = time.time()
        file.write_text(content)
        at = page.wait_for_function("window.seen").json_value()
        if n >= 0:
            seen.append(at - began * 1000)
        page.wait_for_timeout(400)  # an author reads; what follows a save ends
    print(f"{file.name}: {[round(ms) for ms in seen]} ms", file=sys.stderr, flush=True)
    seen.sort()
    return {
        "p50_ms": round(statistics.median(seen)),
        "p90_ms": round(seen[int(0.9 * len(seen))]),
        "most_ms": round(seen[-1]),
    }


if __name__ == "__main__":
    main()
