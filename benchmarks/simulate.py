"""Simulates the night of a deadline: how long students wait, and which part is used up first.

    .venv/bin/python -P -m benchmarks.simulate [--students 1000] [--minutes 10] [--cores 2] [--threads 2]
    .venv/bin/python -P -m benchmarks.simulate --students 20000 --workers 2,4,8 --webs 3 --cores 8 --threads 8
    .venv/bin/python -P -m benchmarks.simulate --capacity 1000,10000,100000,1000000
    .venv/bin/python -P -m benchmarks.simulate --check

Without --workers it is one server with its own queue on SQLite; with it, a machine for each web process and each
worker, a broker between them, and PostgreSQL. --workers takes several numbers, each for a line of the table. What the
parts cost is read from measured.json, or from another file of benchmarks.measure. --capacity prints what so many
students need, by what the same night asks of each part at its peak, without simulating it. --check compares the
simulation with a real server on this machine, whose costs it measures in the same run (benchmarks/checked.py).
"""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from benchmarks import capacity
from benchmarks.night import Night
from benchmarks.parts import MEASURED, Parts, Unreadable, read_parts
from benchmarks.simulation import Installation, Outcome, percentile, simulate

COLUMNS = (
    "| installation | judged | waits p50 | p95 | p99 | pages p50 | p99 | most waiting | used in the busiest 10 s |"
)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="benchmarks.simulate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--students", type=whole, default=1000)
    parser.add_argument("--minutes", type=amount, default=10.0)
    parser.add_argument(
        "--bunching", type=amount, default=4.0, help="how many times as many come in the last minute as in the first"
    )
    parser.add_argument("--mix", type=mix, default="numpy=1", help="shares of the frameworks: numpy=0.7,torch=0.3")
    parser.add_argument("--cores", type=whole, default=2, help="of the server, or of each worker's machine")
    parser.add_argument("--threads", type=numbers, default="2", help="LECTERN_WORKERS of each process that judges")
    parser.add_argument("--workers", type=numbers, help="processes over a broker, each on a machine of its own")
    parser.add_argument(
        "--webs", type=whole, default=2, help="web processes over a broker, each on a machine of its own"
    )
    parser.add_argument("--web-cores", type=whole, default=2, help="of each web process's machine")
    parser.add_argument("--free", type=share, default=1.0, help="the share of the cores that nobody else uses")
    parser.add_argument("--measured", type=Path, default=MEASURED, help="what the parts cost, from benchmarks.measure")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="figures in JSON in place of the table")
    parser.add_argument("--capacity", type=numbers, metavar="STUDENTS", help="what so many students need: 1000,10000")
    parser.add_argument("--check", action="store_true", help="compare with a real server on this machine")
    parser.add_argument("--submissions", type=whole, default=60, help="with --check: of each burst")
    given = parser.parse_args()
    if given.check:
        from benchmarks import checked  # brings the judge along, which takes seconds to import

        return checked.main(given.submissions, given.seed)
    try:
        parts = read_parts(given.measured)
        night = Night(given.students, given.minutes, given.bunching, mix=given.mix, seed=given.seed)
        if given.capacity:
            print(capacity.table(night, parts, given.capacity))
            return 0
        installations = [
            Installation(given.cores, threads, given.webs, workers, given.web_cores, given.free)
            for workers in given.workers or [0]
            for threads in given.threads
        ]
        students = night.draw()
        outcomes = [(each, simulate(students, parts, each, seed=given.seed)) for each in installations]
    except Unreadable as error:
        parser.error(str(error))
    print(json.dumps([figures(*each) for each in outcomes], indent=1) if given.json else table(night, parts, outcomes))
    return 0


def table(night: Night, parts: Parts, outcomes: list[tuple[Installation, Outcome]]) -> str:
    mixed = ", ".join(f"{name} {share:.0%}" for name, share in night.mix)
    lines = [
        f"{night.students:,} students in the last {night.minutes:g} minutes before a deadline ({mixed}). Waits: from a "
        f"submission or run to its verdict. Costs measured {parts.measured_at} on {parts.machine}.",
        "",
        COLUMNS,
        "|---|--:|--:|--:|--:|--:|--:|--:|---|",
    ]
    for installation, outcome in outcomes:
        waits = [judged.wait_seconds for judged in outcome.judged]
        times = [percentile(waits, at) for at in (0.5, 0.95, 0.99)]
        times += [percentile(outcome.page_seconds, at) for at in (0.5, 0.99)]
        cells = [words(installation), f"{len(waits):,}", *map(duration, times), f"{outcome.most_waiting:,}"]
        used = sorted(outcome.busiest.items(), key=lambda item: -item[1])[:3]
        cells.append(", ".join(f"{name} {part:.0%}" for name, part in used))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def figures(installation: Installation, outcome: Outcome) -> dict[str, object]:
    """Durations in seconds; shares of each part in use."""
    waits = [judged.wait_seconds for judged in outcome.judged]
    return {
        "installation": asdict(installation),
        "judged": len(waits),
        "seconds": outcome.seconds,
        "wait": {f"p{at}": percentile(waits, at / 100) for at in (50, 95, 99)},
        "page": {f"p{at}": percentile(outcome.page_seconds, at / 100) for at in (50, 95, 99)},
        "most_waiting": outcome.most_waiting,
        "most_streams": outcome.most_streams,
        "mean": outcome.mean,
        "busiest": outcome.busiest,
        "saturates_first": outcome.saturates_first,
    }


def words(installation: Installation) -> str:
    one = installation
    if not one.is_brokered:
        return f"one server, {one.cores} cores, {one.threads} threads"
    webs, workers = f"{one.webs} webs × {one.web_cores} cores", f"{one.workers} workers × {one.cores} cores"
    return f"{webs}, {workers}, {one.threads} threads each"


def duration(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


# ------------------------------------------------------------------ options


def whole(text: str) -> int:
    if (number := int(text)) < 1:
        raise argparse.ArgumentTypeError(f"{text}: 1 or more")
    return number


def numbers(text: str) -> list[int]:
    return [whole(each) for each in text.split(",")]


def amount(text: str) -> float:
    if not 0 < (number := float(text)) < 1e6:
        raise argparse.ArgumentTypeError(f"{text}: more than 0")
    return number


def share(text: str) -> float:
    if not 0 < (number := float(text)) <= 1:
        raise argparse.ArgumentTypeError(f"{text}: more than 0, and 1 at most")
    return number


def mix(text: str) -> tuple[tuple[str, float], ...]:
    try:
        pairs = [each.split("=") for each in text.split(",")]
        return tuple((name.strip(), amount(value)) for name, value in pairs)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text}: write numpy=0.7,torch=0.3") from None


if __name__ == "__main__":
    sys.exit(main())
