"""Whether the home page is as fast with all that ships as with a small catalogue: `python -m benchmarks.home`.

Two servers in this process, asked in turn; the medians' ratio counts, since the machine is shared.
"""

import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from app.settings import ROOT, Settings
from tests.conftest import CATALOG, running

TIMES = 300
PAGES = ("/", "/courses/positions", "/exercises")


def main() -> int:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        clients = {}
        for name, place in (("3 exercises, 1 course", CATALOG), ("all that ships", ROOT)):
            own = {"exercises": (place / "exercises",), "lessons": (place / "lessons",)}
            settings = Settings(workers=0, data=folder / name.replace(" ", "-"), rate_limits="off", **own)  # type: ignore[arg-type]
            clients[name] = stack.enter_context(stack.enter_context(running(settings)).client())
        print("| page | " + " | ".join(f"{name}, ms (KB)" for name in clients) + " | ratio |\n|---|--:|--:|--:|")
        for page in PAGES:
            spent: dict[str, list[float]] = {name: [] for name in clients}
            sizes = {}
            for _ in range(TIMES):
                for name, client in clients.items():
                    began = time.perf_counter()
                    answer = client.get(page).raise_for_status()
                    spent[name].append(1000 * (time.perf_counter() - began))
                    sizes[name] = len(answer.content) / 1000
            found = {name: median(some) for name, some in spent.items()}
            small, large = found.values()
            cells = " | ".join(f"{found[name]:.1f} ({sizes[name]:.0f})" for name in clients)
            print(f"| `{page}` | {cells} | {large / small:.2f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
