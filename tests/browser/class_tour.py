"""`.venv/bin/python -m tests.browser.class_tour`: the pictures of classes in docs/tour.md, taken again.

Of a demo of its own (`serve --demo`), seen by its instructor: docs/tour/class-NAME-WIDTH-THEME.png.
"""

import re
import socket
import subprocess
import sys

from playwright.sync_api import BrowserContext, Page, sync_playwright

from app.settings import ROOT
from tests.browser.conftest import CHROMIUM
from tests.browser.quiet import until_quiet, watch
from tests.browser.tour import PICTURES, SIZES, THEMES, keep

QUESTION = "berts-positions"
SHOTS: dict[str, str] = {
    "home": "",
    "gradebook": "/gradebook",
    "evidence": "/evidence",
    "question": f"/evidence/question/positions.test-your-understanding.{QUESTION}",
    "similarity": "/similarity/learned-absolute-position-embedding",
}


def main() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-P", "-m", "app", "serve", "--demo", "--port", str(port)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as demo:
        try:
            link = next(
                found[1] for line in demo.stdout or () if (found := re.search(r"instructor, once: (\S+)", line))
            )
            for line in demo.stdout or ():
                if "The term is filled in" in line:
                    break
            walk(link)
        finally:
            demo.terminate()


def walk(link: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        first = browser.new_context()
        page = first.new_page()
        page.goto(link)
        page.wait_for_url(re.compile("/classes/[0-9]+$"))
        url, state = page.url, first.storage_state()
        regrading = dry_run(page, url)
        for width, height in SIZES.items():
            for theme in THEMES:
                context = browser.new_context(
                    storage_state=state,
                    viewport={"width": width, "height": height},
                    color_scheme=theme,
                    reduced_motion="reduce",
                )
                for name, path in SHOTS.items():
                    take(context, url + path, f"class-{name}-{width}-{theme}.png")
                take(context, regrading, f"class-regrading-{width}-{theme}.png")
                context.close()
        browser.close()


def dry_run(page: Page, url: str) -> str:
    """The broken key, set right on paper. Returns where it is shown."""
    page.goto(f"{url}/regradings?quiz=test-your-understanding")
    page.get_by_label("Question", exact=True).select_option(QUESTION)
    page.get_by_label("Full credit for everybody").check()
    page.get_by_role("button", name="See what it would change").click()
    page.wait_for_url(re.compile("/regradings/[0-9]+$"))
    return str(page.url)


def take(context: BrowserContext, url: str, name: str) -> None:
    page = context.new_page()
    watch(page)
    page.goto(url)
    until_quiet(page)
    keep(page.screenshot(), PICTURES / name)
    print(name)
    page.close()


if __name__ == "__main__":
    main()
