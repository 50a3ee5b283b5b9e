"""`./lectern bench soak`."""

import argparse
import ctypes
import json
import os
import random
import shutil
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import structlog

from benchmarks.processes import descendants
from benchmarks.services import ServiceMissing
from benchmarks.soak.audit import audit, left_over
from benchmarks.soak.faults import Faults
from benchmarks.soak.installation import KINDS, Installation, cluster, local
from benchmarks.soak.load import Load

RESULTS = Path(__file__).resolve().parents[1] / "results.md"
PR_SET_CHILD_SUBREAPER = 36
FINISH_SECONDS = 300.0  # for students, after the last fault, to have their answers
SHOWN = 30
ON = "local: SQLite and one process; cluster: PostgreSQL, a broker, two web processes, three workers. Default: local"
DATABASE = (
    "with --on cluster: an empty PostgreSQL database, as postgresql://user@host/name; "
    "default: a PostgreSQL of its own, which is restarted, too"
)


def main() -> None:
    options = _options()
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(10**6)
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    _adopt_orphans()
    folder = Path(tempfile.mkdtemp(prefix="lectern-soak-"))
    folder.chmod(0o755)  # boxes, and PostgreSQL, run as other users
    try:
        report = soak(folder, options)
    except ServiceMissing as missing:
        sys.exit(f"lectern: {missing}. Install it, or use --on local.")
    finally:
        if options.keep:
            say(f"Kept: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    text = table(report)
    print(json.dumps(report, ensure_ascii=False) if options.json else text)
    if options.record:
        with RESULTS.open("a") as file:
            file.write(f"\n{text}\n")
    sys.exit(0 if report["clean"] else 1)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./lectern bench soak",
        description="Keep an installation of its own under load, kill parts of it, and audit what it promised.",
    )
    add = parser.add_argument
    add("--minutes", type=float, default=10.0, help="how long faults are made; default: 10")
    add("--on", choices=sorted(KINDS), default="local", help=ON)
    add("--database", default="", help=DATABASE)
    add("--seed", type=int, help="of the faults and the load; default: another one each time")
    add("--students", type=int, default=10, help="at once; default: 10")
    add("--every", type=float, default=4.0, help="seconds between two faults, on average; default: 4")
    add("--json", action="store_true", help="print exactly one JSON object")
    add("--record", action="store_true", help="append to benchmarks/results.md")
    add("--keep", action="store_true", help="leave the folder with its logs, and say where it is")
    options = parser.parse_args()
    if options.database and options.on != "cluster":
        parser.error("--database is for --on cluster: SQLite is a file of the soak's own")
    if options.minutes <= 0 or options.every <= 0 or options.students < 1:
        parser.error("--minutes, --every and --students must be above zero")
    return options


def soak(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    say(f"seed {options.seed}: starting an installation ({options.on})…")
    manager = local(folder) if options.on == "local" else cluster(folder, options.database)
    with manager as installation:
        staff = installation.staff_token()
        for part in installation.parts:
            part.start()
        installation.wait_until_ready()
        load = Load([web.url for web in installation.webs], staff, options.students, options.seed)
        load.start()
        faults = Faults(installation, options.seed, options.every)
        say(f"faults for {options.minutes:g} minutes…")
        began = time.monotonic()
        faults.run(options.minutes * 60)
        seconds = time.monotonic() - began
        say("the last fault is undone; what was begun is finished…")
        unfinished = load.end(FINISH_SECONDS)
        say("audit…")
        found = audit(installation, load.ledger)
        if unfinished:
            found.lost.append(f"{unfinished} students have no answer {FINISH_SECONDS:.0f} s after the last fault")
        found.left += faults.look_for_left()
        found.left += _ended(installation)
    return {
        "on": options.on, "seed": options.seed, "minutes": round(seconds / 60, 1), "students": options.students,
        "at": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"), "command": _command(options),
        "faults": dict(sorted(faults.made.items())), "faults_made": faults.made.total(), "copies": faults.copies,
        "counts": dict(sorted(load.ledger.counts.items())), "refused": dict(load.ledger.refused.most_common()),
        "clean": found.is_clean, **found.public(),
    }  # fmt: skip


def _ended(installation: Installation) -> list[str]:
    """End everything; what is still there then."""
    left = installation.end()
    ours = {installation.postgres is not None and "postgres", "nats-server"}
    deadline = time.monotonic() + 10
    while (pids := _strangers(ours)) and time.monotonic() < deadline:
        time.sleep(0.2)
    left += [f"process {pid}: {name}" for pid, name in pids.items()]
    return left + left_over(installation)


def _adopt_orphans() -> None:
    """What outlives its parent becomes ours, so that it is found."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _strangers(ours: set[Any]) -> dict[int, str]:
    """Every process below this one but the services."""
    found = {}
    for pid, _ in descendants(os.getpid()):
        try:
            name = Path(f"/proc/{pid}/comm").read_text().strip()
        except OSError:
            continue
        if name not in ours:
            found[pid] = name
    return found


def _command(options: argparse.Namespace) -> str:
    database = f" --database {options.database}" if options.database else ""
    return (
        f"./lectern bench soak --on {options.on}{database} --minutes {options.minutes:g} --seed {options.seed}"
        f" --students {options.students} --every {options.every:g}"
    )


def table(report: dict[str, Any]) -> str:
    """What the report says, as Markdown."""
    lines = [
        f"## Soak, {report['on']}, {report['at']}", "",
        f"`{report['command']}` · {len(os.sched_getaffinity(0))} cores", "",
        "| fault | times |", "|---|--:|",
        *(f"| {kind} | {times} |" for kind, times in report["faults"].items()),
        f"| **all** | **{report['faults_made']}** |", "",
        "| acknowledged and checked | lost | doubled | wrong | left behind |", "|--:|--:|--:|--:|--:|",
        f"| {report['checked'].get('acknowledged', 0)} | {len(report['lost'])} | {len(report['doubled'])} "
        f"| {len(report['wrong'])} | {len(report['left'])} |", "",
        f"- Done: {_listed(report['counts'])}.",
        f"- Checked: {_listed(report['checked'])}.",
        f"- Gradings by the times they were begun: {_listed(report['attempts'])}.",
        f"- Asked for again by those who got no answer, or one that passes: {_listed(report['refused']) or 'none'}.",
    ]  # fmt: skip
    if report["copies"]:
        lines.append(f"- Replies of workers that were delivered once more: {report['copies']}.")
    for what in ("lost", "doubled", "wrong", "left"):
        lines += [f"- **{what}**: {line}" for line in report[what][:SHOWN]]
    return "\n".join(lines)


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items(), key=lambda item: str(item[0])))


def say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    main()
