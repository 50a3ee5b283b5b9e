"""Verdicts and their precedence, and the results of a case and of a submission."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from textwrap import shorten
from typing import Any

from graders.reasons.arrays import ComparedArrays
from graders.text import headline


class Verdict(StrEnum):
    accepted = "accepted"
    wrong_answer = "wrong_answer"
    runtime_error = "runtime_error"
    time_limit = "time_limit"
    memory_limit = "memory_limit"
    output_limit = "output_limit"
    invalid_submission = "invalid_submission"
    internal_error = "internal_error"


class State(StrEnum):
    queued = "queued"
    running = "running"
    finished = "finished"


# The submission's verdict is its worst case's: the first of these that any case has. What ends the box comes before a
# wrong answer, since the student must correct that first to see anything else.
PRECEDENCE = (
    Verdict.internal_error,
    Verdict.invalid_submission,
    Verdict.memory_limit,
    Verdict.output_limit,
    Verdict.time_limit,
    Verdict.runtime_error,
    Verdict.wrong_answer,
    Verdict.accepted,
)

UNGRADED = "We could not grade this. It does not count against you."


def worst(verdicts: Iterable[Verdict | None]) -> Verdict:
    """The submission's verdict from its cases' verdicts (None: not judged). If there are none, that is our failure."""
    present = {verdict for verdict in verdicts if verdict}
    return next((verdict for verdict in PRECEDENCE if verdict in present), Verdict.internal_error)


@dataclass(frozen=True)
class Mismatch:
    """The first difference between expected and actual. `step` is the check that found it."""

    step: str  # type | shape | dtype | non_finite | closeness
    text: str
    expected: str | None = None
    actual: str | None = None
    index: tuple[int, ...] | None = None


@dataclass(frozen=True)
class StudentError:
    """What the student's code raised. `line` and `traceback` are of their own file only."""

    type: str
    message: str | None = None
    line: int | None = None
    traceback: str | None = None
    plain: str | None = None  # the same in plain words, where we know them


@dataclass(frozen=True)
class ArrayView:
    """A value as a sample case shows it: shape, dtype and a short printed text."""

    shape: tuple[int, ...] | None
    dtype: str
    text: str


@dataclass(frozen=True)
class CaseResult:
    """One case's result; `verdict` is None when it was not judged. Times are milliseconds of wall clock."""

    name: str
    sample: bool
    verdict: Verdict | None = None
    wall_ms: float | None = None
    diagnosis: str | None = None
    stdout: str | None = None
    error: StudentError | None = None
    mismatch: Mismatch | None = None
    expected: ArrayView | None = None  # sample cases only, as are actual and inputs
    actual: ArrayView | None = None
    inputs: str | None = None
    arrays: ComparedArrays | None = None  # of a sample case that is wrong: both arrays' numbers, for the page alone

    def public(self) -> dict[str, Any]:
        """The case as the API shows it. A hidden case has no value and no message."""
        error = mismatch = None
        if self.error:
            message = self.error.message if self.sample else None
            error = {"type": self.error.type, "message": message, "line": self.error.line}
        if self.mismatch:
            public = self.mismatch if self.sample else Mismatch(self.mismatch.step, "")
            mismatch = {
                "step": public.step,
                "text": public.text or None,
                "expected": public.expected,
                "actual": public.actual,
                "index": list(public.index) if public.index is not None else None,
            }
        return {
            "name": self.name,
            "sample": self.sample,
            "verdict": self.verdict,
            "wall_ms": self.wall_ms,
            "diagnosis": self.diagnosis,
            "stdout": self.stdout if self.sample else None,
            "error": error,
            "mismatch": mismatch,
        }

    def row(self) -> dict[str, Any]:
        """Everything, as JSON; `from_row` is the way back."""
        row = dict(vars(self))  # not asdict, which copies every leaf: this runs for each grading
        for name in ("error", "mismatch", "expected", "actual"):
            if row[name] is not None:
                row[name] = dict(vars(row[name]))
        row["arrays"] = self.arrays and self.arrays.row()
        return row

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "CaseResult":
        """What is None may be left out."""

        def array(value: Mapping[str, Any] | None) -> ArrayView | None:
            if not value:
                return None
            shape = value["shape"]
            return ArrayView(tuple(shape) if shape is not None else None, value["dtype"], value["text"])

        fields = dict(row)
        fields["verdict"] = Verdict(row["verdict"]) if row.get("verdict") else None
        fields["error"] = StudentError(**row["error"]) if row.get("error") else None
        if row.get("mismatch"):
            index = row["mismatch"].get("index")
            fields["mismatch"] = Mismatch(**{**row["mismatch"], "index": tuple(index) if index is not None else None})
        fields["expected"] = array(row.get("expected"))
        fields["actual"] = array(row.get("actual"))
        fields["arrays"] = ComparedArrays.from_row(row["arrays"]) if row.get("arrays") else None
        return cls(**fields)


@dataclass(frozen=True)
class Summary:
    """The results of all cases in brief. `start` is the case to start with, `detail` what is wrong with it."""

    right: int
    total: int
    start: str | None = None
    detail: str = ""

    def text(self, *, with_detail: bool = True) -> str:
        if self.right == self.total:
            return "The case is right." if self.total == 1 else f"All {self.total} cases are right."
        count = f"{self.right} of {self.total} cases {'is' if self.right == 1 else 'are'} right."
        text = f"{count} Start with: {self.start}." if self.total > 1 else "The case is not right."
        return f"{text} {self.detail}" if with_detail and self.detail else text


def summary_of(results: Sequence[CaseResult]) -> Summary:
    """For judged cases: not for a submission that was invalid or could not be judged."""
    right, total = sum(result.verdict == Verdict.accepted for result in results), len(results)
    wrong = (result for result in results if result.verdict not in (None, Verdict.accepted))
    if right == total or (first := next(wrong, None)) is None:
        return Summary(right, total)
    detail = ""
    if first.mismatch and first.mismatch.text:
        detail = headline(first.mismatch.text)
    elif first.error:
        at = f" (line {first.error.line})" if first.error.line else ""
        message = shorten(first.error.message or "", 200, placeholder=" …") if first.sample else ""
        detail = f"{first.error.type}{at}{': ' + message if message else ''}"
    return Summary(right, total, first.name, detail)


@dataclass(frozen=True)
class SubmissionResult:
    """A submission judged: the worst case's verdict, a score in [0, 1], and one sentence on what to do next."""

    verdict: Verdict
    score: float
    summary: str
    diagnosis: str | None
    mistake: str | None
    cases: tuple[CaseResult, ...]


@dataclass(frozen=True)
class PublicSubmission:
    """A submission as everyone shows it: the API, its events, an export, and `lectern grade --json`, which has no id.

    `cases` are those judged so far. `trace` is its own key for a submission of kind `trace`: null until it is there.
    """

    id: int | None
    exercise: str
    exercise_hash: str
    framework: str
    kind: str
    state: str
    created_at: datetime
    cases: tuple[CaseResult, ...]
    verdict: str | None
    score: float | None
    summary: str | None
    diagnosis: str | None
    mistake: str | None
    queue_position: int | None = None
    trace: Mapping[str, Any] | None = None

    def json(self) -> dict[str, Any]:
        """The one JSON of a submission (DESIGN: the submission)."""
        traced = {"trace": self.trace} if self.kind == "trace" else {}
        return {
            "id": self.id,
            "exercise": self.exercise,
            "exercise_hash": self.exercise_hash,
            "framework": self.framework,
            "kind": self.kind,
            "state": self.state,
            "verdict": self.verdict,
            "score": self.score,
            "summary": self.summary,
            "diagnosis": self.diagnosis,
            "mistake": self.mistake,
            "queue_position": self.queue_position if self.state == State.queued else None,
            "created_at": self.created_at.astimezone(UTC).isoformat().replace("+00:00", "Z"),
            "cases": [case.public() for case in self.cases],
            **traced,
        }
