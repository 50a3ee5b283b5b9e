"""From a student's click on Submit to the verdict painted, in a real browser; README.md says how to read it.

    .venv/bin/python -P benchmarks/desk.py [--submissions N] [--url URL]

A server of its own as in bench.py, or the one at `--url`. Beside each click the same form is sent with no page around
it: their ratio is what the browser and our modules add.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.bench import serving  # noqa: E402

CHROMIUM = "/usr/bin/chromium"
SLUG = "learned-absolute-position-embedding"
TARGET_MS = 100
# The frame that shows the change: a task after the callback that runs before it is painted.
WATCH = """
() => {
  window.painted = [];
  let clicked = 0;
  const button = document.querySelector("button[value=submit]");
  button.addEventListener("click", (event) => { clicked = event.timeStamp; }, true);
  new MutationObserver(() => {
    const panel = document.querySelector("#verdict .panel[data-state=finished]");
    if (!panel || panel.dataset.seen) return;
    panel.dataset.seen = "yes";
    const changed = performance.now();
    requestAnimationFrame(() => setTimeout(() => {
      const sent = performance.getEntriesByType("resource").filter((one) => one.name.endsWith("/submissions")).at(-1);
      window.painted.push({
        all: performance.now() - clicked, before: sent.startTime - clicked, http: sent.responseEnd - sent.startTime,
        placed: changed - sent.responseEnd, paint: performance.now() - changed,
      });
      performance.clearResourceTimings();
    }));
  }).observe(document.getElementById("verdict"), { childList: true });
}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--submissions", type=int, default=30)
    parser.add_argument("--url", help="address of a running server; default: start one")
    options = parser.parse_args()
    with _server(options.url) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(base_url=url, viewport={"width": 1280, "height": 800})
        print(report(*measure(page, url, options.submissions)))
        browser.close()


def measure(page: Page, url: str, submissions: int) -> tuple[list[dict[str, float]], list[float]]:
    """(each click's milliseconds, by part; the same form's, sent bare)."""
    source = (ROOT / "exercises" / SLUG / "reference.py").read_text()
    page.goto(f"/exercises/{SLUG}")
    page.locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(source)
    submit = page.get_by_role("button", name="Submit")
    submit.click()
    page.locator("#verdict .panel[data-state=finished]").wait_for()
    page.evaluate(WATCH)
    bare: list[float] = []
    with httpx.Client(base_url=url, headers={"Sec-Fetch-Site": "same-origin", "Lectern-Partial": "1"}) as client:
        _send(client, source)
        for n in range(submissions):
            submit.click()
            page.wait_for_function("(count) => window.painted.length === count", arg=n + 1)
            bare.append(_send(client, source))
            time.sleep(0.1)
    clicks: list[dict[str, float]] = page.evaluate("window.painted")
    return clicks, bare


def report(clicks: list[dict[str, float]], bare: list[float]) -> str:
    middle = {part: statistics.median(click[part] for click in clicks) for part in clicks[0]}
    floor = statistics.median(bare)
    p95 = sorted(click["all"] for click in clicks)[int(0.95 * len(clicks))]
    return "\n".join(
        (
            f"{len(clicks)} clicks on Submit, NumPy gather, to the verdict painted:",
            f"  p50 {middle['all']:.0f} ms, p95 {p95:.0f} ms (target {TARGET_MS} ms, p50)",
            f"  painted / bare {middle['all'] / floor:.1f}: the same form sent bare, {floor:.0f} ms p50",
            f"  click to request {middle['before']:.1f} · request to answer {middle['http']:.1f} · "
            f"answer to page {middle['placed']:.1f} · page to paint {middle['paint']:.1f} ms",
        )
    )


def _send(client: httpx.Client, source: str) -> float:
    began = time.perf_counter()
    answer = client.post(f"/exercises/{SLUG}/submissions", data={"source": source, "framework": "numpy"})
    took = (time.perf_counter() - began) * 1000
    assert "Accepted" in answer.raise_for_status().text
    return took


@contextmanager
def _server(url: str | None) -> Iterator[str]:
    if url:
        yield url
        return
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), ROOT / "exercises") as server:
        yield server.url


if __name__ == "__main__":
    main()
