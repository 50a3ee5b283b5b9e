"""What the parts of Lectern cost, as measured on one machine: what the simulation is fed with.

`measured.json` beside this file is the committed measurement; `.venv/bin/python -P -m benchmarks.measure --out FILE`
makes another. All times are milliseconds of one core, of one request or one grading, unless a name says otherwise.
"""

import json
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

MEASURED = Path(__file__).resolve().parent / "measured.json"


class Unreadable(Exception):
    """A file of measurements that cannot be used. The message names the file, what is wrong, and the remedy."""


@dataclass(frozen=True)
class Grading:
    """What one grading costs, by who works and whether its student waits for it.

    Python's threads of one process work one at a time, boxes and zygotes beside them: so each figure says whose it is.
    """

    intake_ms: float  # of the web process: request, checks
    store_ms: float  # of the web process: its rows; SQLite has one writer at a time, who then waits for the disk
    answer_ms: float  # of the web process: the verdict, told
    worker_ms: float  # of the worker's thread: claim, compare
    record_ms: float  # of the worker's thread, or of a recorder's web process over a broker: the verdict's rows
    calls_ms: float  # of the box: the student's calls, while the worker's thread waits
    beside_ms: float  # of other threads of the worker's process: keepers, batches
    fresh_ms: float  # of the thread that makes fresh cases, for one grading; it makes those of many at a time
    behind_ms: float  # of zygotes and boxes, when nobody waits for it: this box ends, the next one is forked
    idle_ms: float  # nobody works: sockets and threads wake up
    rounds: int  # cases: worker and box take turns

    def slower(self, factor: float) -> "Grading":
        return replace(self, **_times(self, factor))


@dataclass(frozen=True)
class Parts:
    """`gradings` by what was sent: "numpy right", "numpy wrong", "numpy run". A framework has at least "… right"."""

    measured_at: str
    machine: str
    gradings: dict[str, Grading]
    page_ms: float  # of the web process: a lesson or an exercise
    answer_ms: float  # of the web process: an answer to a question
    commit_ms: float  # until the disk has one transaction; no core is busy
    stream_ms: float  # of the web process: an event stream is opened and closed
    look_ms: float  # of the web process: an open stream reads its row again, every two seconds
    stream_kb: float  # memory of an open stream
    submission_kb: float  # in the database, of a submission with its verdict
    turn_us: float  # of the process that hands out: for each person who waits, at each turn
    hand_out_ms: float  # of the leader's thread, and there and back to the broker: the database's own time is not in it
    hop_ms: float  # a message over the broker
    held: float  # of a server's processor time, the share in which its threads hold the interpreter
    spread: float  # standard deviation of a grading's cost ÷ mean

    def grading(self, framework: str, what: str) -> Grading:
        """`what`: right, wrong or run. What was not measured by itself costs as much as a right answer."""
        found = self.gradings.get(f"{framework} {what}") or self.gradings.get(f"{framework} right")
        if found is None:
            raise Unreadable(f"no cost of {framework} was measured: add “{framework} right”, or leave it out of --mix")
        return found

    def slower(self, factor: float) -> "Parts":
        """The same on a machine whose cores take `factor` times as long. The disk and the broker are as they were."""

        gradings = {name: grading.slower(factor) for name, grading in self.gradings.items()}
        return replace(self, gradings=gradings, **_times(self, factor))

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self), indent=1) + "\n")


OF_CORES = (
    "intake_ms", "store_ms", "answer_ms", "worker_ms", "record_ms", "calls_ms", "beside_ms", "fresh_ms", "behind_ms",
    "page_ms", "stream_ms", "look_ms", "turn_us",
)  # fmt: skip


def _times(found: Any, factor: float) -> dict[str, Any]:
    return {field: round(getattr(found, field) * factor, 4) for field in OF_CORES if hasattr(found, field)}


def processor_ms(grading: Grading) -> float:
    """Of one grading, all parts together: it decides how many cores a class needs."""
    return (
        grading.intake_ms
        + grading.store_ms
        + grading.record_ms
        + grading.answer_ms
        + grading.worker_ms
        + grading.calls_ms
        + grading.beside_ms
        + grading.fresh_ms
        + grading.behind_ms
    )


def read_parts(path: Path = MEASURED) -> Parts:
    """Raises Unreadable."""
    try:
        found = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise Unreadable(f"{path}: {error}. Make one with benchmarks.measure --out {path.name}") from None
    if not isinstance(found, dict):
        raise Unreadable(f"{path}: expected an object of measured parts")
    costs = found.get("gradings")
    if not isinstance(costs, dict) or not costs:
        raise Unreadable(f"{path}: “gradings” names no framework; expected {{“numpy right”: {{…}}}}")
    gradings = {name: Grading(**_checked(path, Grading, cost, name)) for name, cost in costs.items()}
    return Parts(**{**_checked(path, Parts, found, "the parts"), "gradings": gradings})


def _checked(path: Path, kind: type[Grading] | type[Parts], found: Any, name: str) -> dict[str, Any]:
    """Every field that `kind` has, and no other; numbers are zero or more. Raises Unreadable."""
    if not isinstance(found, dict):
        raise Unreadable(f"{path}: {name}: expected an object, found {found!r}")
    known = {field.name: field.type for field in fields(kind)}
    if wrong := sorted(found.keys() ^ known.keys()):
        is_missing = wrong[0] in known
        raise Unreadable(
            f"{path}: {name}: {wrong[0]} is {'missing' if is_missing else 'unknown'}; see benchmarks/parts.py"
        )
    for field, value in found.items():
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if known[field] in (float, int) and not (is_number and value >= 0):
            raise Unreadable(f"{path}: {name}: {field} is {value!r}; expected a number, 0 or more")
    if kind is Parts and found["held"] > 1:
        raise Unreadable(f"{path}: held is {found['held']!r}; expected a share, 1 at most")
    if kind is Grading and found["rounds"] < 1:
        raise Unreadable(f"{path}: {name}: rounds is {found['rounds']!r}; expected 1 or more")
    return found
