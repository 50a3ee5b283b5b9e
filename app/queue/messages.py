"""What passes between web processes and workers, as JSON: an assignment there, replies back.

attack: a machine that judges for the class sends what no worker would send: half a message, another type, a bomb.
defence: whatever cannot be read is a Garbled, whose grading is judged elsewhere; sizes are bounded before anything is
unpacked. What a verdict *says* is the worker's word: who may judge for a class is chosen by those who give credentials.
"""

import base64
import json
import re
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from app.db import ID_MAX
from app.queue.turns import Waiting
from graders.grade import Finished, Stages, Usage
from graders.reasons.trace import Trace
from graders.verdict import CaseResult, SubmissionResult, Verdict

PACK_ABOVE = 4 << 10
LARGEST = 64 << 20  # of what goes to a worker, and of a task's answer with its blob
LARGEST_REPLY = 4 << 20  # a verdict with what a hundred cases printed has less
LARGEST_FIELDS = 12 << 20  # of a task's answer: a cell's figures
LARGEST_BEAT = 64 << 10  # and of a want
MOST_SLOTS, MOST_HELD = 256, 1024
LONGEST_WANT_SECONDS = 60.0
_PACKED = b"z"

ReplyKind = Literal["cases", "verdict", "failure", "yielded"]
_ROUND = re.compile(r"[0-9A-Za-z_]{0,8}")


class Garbled(Exception):
    """A message that no process of ours would have sent."""


@dataclass(frozen=True)
class Assignment:
    """One grading that one worker is to do. The exercise's files are the broker's object `exercise_hash`."""

    grading_id: int
    attempt: int
    submission_id: int
    exercise: str
    exercise_hash: str
    source: bytes
    framework: str
    kind: str
    inputs: Mapping[str, Any] | None
    case_name: str | None
    round: str = ""  # another each time that it is handed out: what made room is attempt 1 again
    trace: str = ""  # what names the span that it belongs to (app/web/tracing.py)

    @property
    def id(self) -> str:
        """The broker drops a second message of the same id."""
        return f"{self.grading_id}-{self.attempt}-{self.round}"

    def encoded(self) -> bytes:
        fields = {**vars(self), "source": base64.b64encode(self.source).decode()}
        if not self.trace:  # as workers of an earlier release know it
            del fields["trace"]
        return pack(fields)

    @classmethod
    def decoded(cls, data: bytes) -> "Assignment":
        """Raises Garbled."""
        fields = unpack(data)
        try:
            return cls(**{**fields, "source": base64.b64decode(fields["source"])})
        except (TypeError, KeyError, ValueError) as error:
            raise Garbled(str(error)) from None


@dataclass(frozen=True)
class Capabilities:
    """What a worker can judge. `frameworks` empty: every one. `memory_mb`: the most that it allows an exercise; 0: any.
    `gpu` is told and not asked for: no exercise needs one yet."""

    frameworks: tuple[str, ...] = ()
    memory_mb: int = 0
    gpu: bool = False

    def can(self, framework: str, memory_mb: int) -> bool:
        return self.can_all((framework,) if framework else (), memory_mb)

    def can_all(self, frameworks: Collection[str], memory_mb: int) -> bool:
        knows = not self.frameworks or set(frameworks) <= set(self.frameworks)
        return knows and (not self.memory_mb or memory_mb <= self.memory_mb)


@dataclass(frozen=True)
class Want:
    """A worker's thread is free, and waits for an assignment for so many seconds. `takes_it`: as the answer, and not
    only from the broker: a worker of an earlier release takes such an answer for none."""

    seconds: float
    capabilities: Capabilities = field(default_factory=Capabilities)
    takes_it: bool = True

    def encoded(self) -> bytes:
        return pack({"seconds": self.seconds, "takes_it": self.takes_it, **vars(self.capabilities)})

    @classmethod
    def decoded(cls, data: bytes) -> "Want":
        """Raises Garbled."""
        fields = unpack(data, LARGEST_BEAT)
        try:
            seconds = float(fields["seconds"])
            if not 0 <= seconds <= LONGEST_WANT_SECONDS:
                raise Garbled(f"a want of {seconds} s")
            return cls(seconds, _capabilities(fields), bool(fields.get("takes_it")))
        except (TypeError, KeyError, ValueError, OverflowError) as error:
            raise Garbled(str(error)) from None


@dataclass(frozen=True)
class Beat:
    """A worker is there, and holds these gradings, each with its attempt."""

    held: tuple[tuple[int, int], ...]
    capabilities: Capabilities = field(default_factory=Capabilities)
    slots: int = 1
    parked: int = 0  # warm boxes; with none it is warming up
    does_tasks: bool = False  # it runs cells, makes cases and checks for web processes too (tasks.py)

    def encoded(self) -> bytes:
        own = {name: value for name, value in vars(self).items() if name != "capabilities"}
        return pack({**own, **vars(self.capabilities)})

    @classmethod
    def decoded(cls, data: bytes) -> "Beat":
        """Raises Garbled."""
        fields = unpack(data, LARGEST_BEAT)
        try:
            if len(fields["held"]) > MOST_HELD:
                raise Garbled("it holds too much")
            slots = min(_id(fields["slots"]), MOST_SLOTS)
            held = tuple((_id(grading), _id(attempt)) for grading, attempt in fields["held"])
            does_tasks = bool(fields.get("does_tasks"))
            return cls(held, _capabilities(fields), slots, _id(fields["parked"]), does_tasks)
        except (TypeError, KeyError, ValueError, OverflowError) as error:
            raise Garbled(str(error)) from None


def _capabilities(fields: Mapping[str, Any]) -> Capabilities:
    frameworks = tuple(str(framework) for framework in fields["frameworks"])
    return Capabilities(frameworks, int(fields["memory_mb"]), bool(fields["gpu"]))


@dataclass(frozen=True)
class Reply:
    """What became of an assignment, so far or at its end. `finished` with a verdict, `reason` with a failure."""

    kind: ReplyKind
    grading_id: int
    attempt: int
    submission_id: int
    round: str
    cases: tuple[CaseResult, ...] = ()
    finished: Finished | None = None
    reason: str = ""
    trace: str = ""  # of its assignment

    @property
    def id(self) -> str:
        """The broker drops a second message of the same id."""
        return f"{self.kind}-{self.grading_id}-{self.attempt}-{self.round}"

    def encoded(self) -> bytes:
        return pack(
            {
                "kind": self.kind,
                "grading_id": self.grading_id,
                "attempt": self.attempt,
                "submission_id": self.submission_id,
                "round": self.round,
                "cases": [case.row() for case in self.cases],
                "finished": self.finished and finished_row(self.finished),
                "reason": self.reason,
                **({"trace": self.trace} if self.trace else {}),
            }
        )

    @classmethod
    def decoded(cls, data: bytes) -> "Reply":
        """Raises Garbled."""
        fields = unpack(data, LARGEST_REPLY)
        try:
            finished = finished_from_row(fields["finished"]) if fields["finished"] else None
            if (finished is not None) != (fields["kind"] == "verdict"):
                raise Garbled(f"a {fields['kind']} with or without its verdict")
            return cls(
                fields["kind"],
                _id(fields["grading_id"]),
                _id(fields["attempt"]),
                _id(fields["submission_id"]),
                _round(fields["round"]),
                _cases(fields["cases"]),
                finished,
                str(fields["reason"]),
                str(fields.get("trace", ""))[:64],
            )
        except (TypeError, KeyError, ValueError, AttributeError, OverflowError) as error:
            raise Garbled(str(error)) from None


def _round(word: Any) -> str:
    """attack: half a surrogate pair, or a NUL: the database refuses it again and again, and others wait meanwhile.
    Raises ValueError for what no leader has made."""
    if not isinstance(word, str) or not _ROUND.fullmatch(word):
        raise ValueError("that is no round")
    return word


def _id(number: Any) -> int:
    """Raises ValueError for what no row can have."""
    if not isinstance(number, int) or not 0 <= number <= ID_MAX:
        raise ValueError(f"{number!r} is no number of a row")
    return number


def finished_row(finished: Finished) -> dict[str, Any]:
    """A verdict as JSON; `finished_from_row` is the way back."""
    result, usage = finished.result, finished.usage
    return {
        "result": {**vars(result), "cases": [case.row() for case in result.cases]},
        "reason": finished.reason,
        "stages": vars(finished.stages),
        "trace": finished.trace.row() if finished.trace else None,
        "usage": vars(usage) if usage else None,
        "seed": finished.seed,
        "fingerprint": finished.fingerprint,
    }


def finished_from_row(row: Mapping[str, Any]) -> Finished:
    result = dict(row["result"])
    result |= {"verdict": Verdict(result["verdict"]), "cases": _cases(result["cases"])}
    return Finished(
        SubmissionResult(**result),
        row["reason"],
        Stages(**row["stages"]),
        Trace.from_row(row["trace"]) if row["trace"] else None,
        Usage(**row["usage"]) if row["usage"] else None,
        _seed(row["seed"]),
        row["fingerprint"] and str(row["fingerprint"])[:32],
    )


def _seed(number: Any) -> int | None:
    """Raises ValueError for what its column cannot hold."""
    if number is not None and not (isinstance(number, int) and -(2**63) <= number < 2**63):
        raise ValueError("the seed is no whole number of 64 bits")
    return number


def _cases(rows: Sequence[Mapping[str, Any]]) -> tuple[CaseResult, ...]:
    return tuple(CaseResult.from_row(row) for row in rows)


def waiting_row(waiting: Waiting) -> dict[str, Any]:
    """A grading that waits, for the process that says whose turn it is, whose own `since` and `arrival` are."""
    row = {name: value for name, value in vars(waiting).items() if name not in ("submission", "since", "arrival")}
    return row if waiting.trace else {name: value for name, value in row.items() if name != "trace"}


def read_reply_id(id: str) -> tuple[int, int, str]:
    """Grading, attempt and round of a reply whose content cannot be read, by its `id`. Raises Garbled."""
    try:
        _, grading_id, attempt, round = id.split("-")[:4]
        return _id(int(grading_id)), _id(int(attempt)), _round(round)
    except ValueError as error:
        raise Garbled(str(error)) from None


def pack(fields: Mapping[str, Any]) -> bytes:
    data = json.dumps(fields, separators=(",", ":")).encode()
    return _PACKED + zlib.compress(data, 1) if len(data) > PACK_ABOVE else data


def unpack(data: bytes, largest: int = LARGEST) -> dict[str, Any]:
    """Raises Garbled.

    attack: a worker packs a million empty objects into a few kilobytes, and the process that reads them stands still
    and runs out of memory; then the next one does. defence: a largest size for each kind of message, unpacked.
    """
    try:
        if data.startswith(_PACKED):
            unpacker = zlib.decompressobj()
            data = unpacker.decompress(data[1:], largest)
            if unpacker.unconsumed_tail:
                raise Garbled("it is too large")
        if len(data) > largest:
            raise Garbled("it is too large")
        fields = json.loads(data)
    except (ValueError, zlib.error, RecursionError) as error:
        raise Garbled(str(error)) from None
    if not isinstance(fields, dict):
        raise Garbled("it is no object")
    return fields
