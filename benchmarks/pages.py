"""`python -m benchmarks.pages`: what headless Chromium takes to show a page. README.md says how to read it.

Of each page, in a new browser context (nothing cached) and at two widths, medians of some loads:

    LCP     largest contentful paint, ms after navigation      web.dev/articles/lcp
    TBT     total blocking time: of each task over 50 ms after the first paint, what is over     web.dev/articles/tbt
    CLS     cumulative layout shift, no unit; without it a page stands still while it loads      web.dev/articles/cls
    KB      what came over the network, compressed; the editor's bundle beside it
"""

import argparse
import statistics
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from benchmarks.bench import HERE, serving, write_exercises
from tests.browser.quiet import until_quiet, watch

PAGES = {
    "home": "/",
    "lesson": "/courses/positions/sinusoidal-encodings",
    "workspace": "/exercises/learned-absolute-position-embedding",
    "workspace, Flax": "/exercises/flax-learned-pos",
}
WIDTHS = (1280, 360)
TARGETS = "LCP 500 ms, TBT 50 ms, CLS 0, 200 KB before the editor"
OBSERVE = """
window.seen = { lcp: 0, tbt: 0, cls: 0 };
const observe = (type, each) =>
  new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
observe("largest-contentful-paint", (entry) => { seen.lcp = entry.startTime; });
observe("longtask", (entry) => { seen.tbt += Math.max(0, entry.duration - 50); });
observe("layout-shift", (entry) => { if (!entry.hadRecentInput) seen.cls += entry.value; });
"""


@dataclass(frozen=True)
class Load:
    """One load of a page: milliseconds, milliseconds, no unit, kilobytes, kilobytes."""

    lcp: float
    tbt: float
    cls: float
    page_kb: float
    editor_kb: float


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pages", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--loads", type=int, default=9, help="loads of each page at each width")
    parser.add_argument("--record", action="store_true", help="append to benchmarks/results.md")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    asked = parser.parse_args()
    text = run(asked.loads, asked.chromium)
    print(text)
    if asked.record:
        with (HERE / "results.md").open("a") as file:
            file.write(f"\n{text}\n")


def run(loads: int, chromium: str) -> str:
    rows = []
    with tempfile.TemporaryDirectory(prefix="lectern-bench-") as place, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with serving(Path(place), write_exercises(Path(place))) as server:
            for name, path in PAGES.items():
                for width in WIDTHS:
                    measured = [load(browser, server.url + path, width) for _ in range(loads + 1)][1:]
                    rows.append(row(name, width, measured))
        browser.close()
    moment = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    return "\n".join(
        (
            f"## Pages in Chromium, {moment}",
            "",
            f"`.venv/bin/python -m benchmarks.pages --loads {loads}` · medians, nothing cached; targets: {TARGETS}",
            "",
            "| page | width | LCP ms | TBT ms | CLS | KB before the editor | KB of the editor |",
            "|---|--:|--:|--:|--:|--:|--:|",
            *rows,
        )
    )


def load(browser: Browser, url: str, width: int) -> Load:
    """The page once, as a new visitor sees it, until nothing is under way and a second has passed."""
    context = browser.new_context(viewport={"width": width, "height": 900})
    context.add_init_script(OBSERVE)
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    urls: dict[str, str] = {}
    weights: dict[str, float] = {}
    wire.on("Network.requestWillBeSent", lambda event: urls.update({event["requestId"]: event["request"]["url"]}))
    wire.on("Network.loadingFinished", lambda event: weights.update({event["requestId"]: event["encodedDataLength"]}))
    watch(page)
    page.goto(url)
    until_quiet(page)
    page.wait_for_timeout(1000)
    seen: dict[str, Any] = page.evaluate("seen")
    context.close()
    editor = sum(weight for id, weight in weights.items() if "/vendor/codemirror" in urls[id])
    return Load(seen["lcp"], seen["tbt"], seen["cls"], (sum(weights.values()) - editor) / 1024, editor / 1024)


def row(name: str, width: int, loads: list[Load]) -> str:
    def median(what: str) -> float:
        return float(statistics.median(getattr(one, what) for one in loads))

    return (
        f"| {name} | {width} | {median('lcp'):.0f} | {median('tbt'):.0f} | {median('cls'):.3f} "
        f"| {median('page_kb'):.0f} | {median('editor_kb'):.0f} |"
    )


if __name__ == "__main__":
    main()
