"""Running a lesson's cell: source in, what a notebook would show under it out.

    run = run_cell(judge, "import numpy as np\\nnp.arange(6).reshape(2, 3)")
    run.value.text, run.value.shape, run.prints, run.figures, run.error

    trained = run_cell(judge, source, "numpy", inputs={"steps": 100}, wants_result=True)
    trained.result                   # what the cell left in the name `result`, as JSON; arrays are lists

A cell is not a submission: nothing is judged and nothing is stored. It takes a box of the same pool for itself, but
never the last one that waits for a submission (pool.py, `spare`). It gives way to everything else on the processor.

attack: a picture that is not one, a megabyte of alternative text, a value with markup in it, a tree without end, a
        frame of another shape; sixty endless loops, so that nobody's submission is judged.
defence: the reply is read here field by field, as a trace is. What is not of its type and size is left out, or ends
         the run. Pictures are written again (png.py). Texts are plain, and escaped where they are shown. At most `most`
         cells run at once, and WAITING_MOST wait; any further request is told that the machine is busy.
"""

import base64
import contextlib
import hashlib
import json
import math
import os
import threading
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, assert_never

import numpy as np

from graders.boxes import proc
from graders.boxes.pool import Judge
from graders.boxes.reply import (
    LINES,
    Disallowed,
    Misplaced,
    Missing,
    Odd,
    Raised,
    Ran,
    Reply,
    Returned,
    ReturnTooLarge,
    Stopped,
    TraceTooSlow,
    Uncallable,
    Unreadable,
    outcome_of,
)
from graders.boxes.sandbox import Box, BoxLost
from graders.exercise.limits import Limits
from graders.grade import read_source
from graders.png import BadPng, Png, read_png
from graders.reasons.plain import plain
from graders.reasons.source.place import line_of, sentence
from graders.reasons.source.program import read_program
from graders.text import is_storable, storable
from graders.verdict import StudentError

LIMITS = Limits(wall_seconds=10.0, cpu_seconds=10.0, total_seconds=10.0, memory_mb=1024, output_kb=64)
FIGURES = 4
FIGURE_BYTES = 512 << 10
TEXT_CHARACTERS = 8_000  # of a value's own text
RESULT_BYTES = 256 << 10  # as JSON, and as arrays in the box
VALUE_BYTES = FIGURES * FIGURE_BYTES + 4 * TEXT_CHARACTERS + 2 * RESULT_BYTES
MAX_NAME = 80
MAX_AXES = 64
MAX_ALT = 300
MAX_PARTS = 12
MAX_NOTE = 300
MAX_NOTES = FIGURES + 1  # one for each picture that is left out, and one for those beyond
MAX_ERROR_TEXT = 128 << 10  # of each of an error's texts: some quote the source, which has 64 KiB
MAX_RESULT_DEPTH = 100  # what crosses the wall has 16, and an array, which is a list here, up to 64 axes
MAX_WALL_MS = 3_600_000.0
LARGEST = 2**63
TRIES = 2
WAIT_SECONDS = 12.0  # for a turn, and then for a box, before the answer is that the machine is busy
WAITING_MOST = 6
NICE = 5

_STOPPED = {"time_limit": "TimeLimit", "memory_limit": "MemoryLimit", "output_limit": "OutputLimit"}


class Busy(Exception):
    """As many cells run and wait as are allowed. The caller may try again."""


@dataclass(frozen=True)
class CellValue:
    """The last expression's value: an array's numbers, or the `repr` of anything else."""

    type: str
    text: str
    shape: tuple[int, ...] | None = None
    dtype: str | None = None

    @property
    def shape_text(self) -> str | None:
        return None if self.shape is None else str(self.shape)


@dataclass(frozen=True)
class CellFigure:
    """A picture and what is written on it, in words. Sizes in pixels."""

    png: bytes
    alt: str
    width: int
    height: int

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.png).hexdigest()[:12]


@dataclass(frozen=True)
class CellRun:
    """The outcome of a cell. `earlier`: the position, from 0, of the continued cell that `error` is about.

    `result` is JSON, where it was requested. `notes` say what was left out. `wall_ms` counts the box's own time.
    """

    prints: str = ""
    value: CellValue | None = None
    figures: tuple[CellFigure, ...] = ()
    notes: tuple[str, ...] = ()
    error: StudentError | None = None
    earlier: int | None = None
    result: Any = None
    wall_ms: float = 0.0

    def row(self) -> dict[str, Any]:
        """As JSON, pictures in base64; `from_row` is the way back."""
        figures = [{**vars(figure), "png": base64.b64encode(figure.png).decode()} for figure in self.figures]
        return {**asdict(self), "figures": figures}

    @classmethod
    def from_row(cls, row: Any, before: int = MAX_PARTS) -> "CellRun":
        """`before`: how many cells it continues. Raises ValueError for what `row` did not write.

        attack: a worker answers with a number for the prints, or with a page for a picture. It is kept, and the lesson
                fails for each of its readers until somebody deletes the file.
        defence: each field is of the type and the size that a box's reply is held to. Pictures are written again.
        """
        run = _facts(row, cls)
        error = _error_from(run["error"])
        earlier = run["earlier"]
        if earlier is not None:
            _require_whole(earlier, "earlier", 0, before - 1)
            _require(error is not None, "earlier", "is of no error")
        return cls(
            _require_text(run["prints"], "prints", LIMITS.output_kb << 10),
            _value_from(run["value"]),
            tuple(_figure_from(figure) for figure in _require_list(run["figures"], "figures", FIGURES)),
            tuple(_require_text(note, "notes", MAX_NOTE) for note in _require_list(run["notes"], "notes", MAX_NOTES)),
            error,
            earlier,
            _result_from(run["result"]),
            _wall_ms_from(run["wall_ms"]),
        )


class Cells:
    """The cells that run on one judge: at most `most` at once, from all users together, and WAITING_MOST that wait.

    attack: a hundred endless loops, each of which holds a thread of the server while it waits for a box.
    defence: any further request is refused at once.
    """

    def __init__(self, judge: Judge, most: int) -> None:
        self.judge = judge
        self._running = threading.BoundedSemaphore(most)
        self._present = threading.BoundedSemaphore(most + WAITING_MOST)

    def run(self, source: str, framework: str = "numpy", **options: Any) -> CellRun:
        """As `run_cell`; also raises Busy."""
        if not self._present.acquire(blocking=False):
            raise Busy
        try:
            if not self._running.acquire(timeout=WAIT_SECONDS):
                raise Busy
            try:
                return run_cell(self.judge, source, framework, **options)
            finally:
                self._running.release()
        finally:
            self._present.release()


def run_cell(
    judge: Judge,
    source: str,
    framework: str = "numpy",
    before: Sequence[str] = (),
    inputs: Mapping[str, Any] | None = None,
    wants_result: bool = False,
    limits: Limits = LIMITS,
    wait_seconds: float = WAIT_SECONDS,
) -> CellRun:
    """Run `source` in a box of its own, after the sources `before` it in the same namespace, whose prints are dropped.

    `inputs` are bound as names: JSON, or NumPy arrays. Raises JudgeUnavailable. Raises BoxLost when no box was
    available or the second one was lost too: that is our failure, and the caller may try again.
    """
    parts = [*before[-MAX_PARTS:], source]
    left_out = len(before) + 1 - len(parts)  # `earlier` counts these too
    for place, part in enumerate(parts):
        _, problem = read_source(part.encode("utf-8", "surrogatepass"))
        if problem:
            error = StudentError("SyntaxError", problem)
            return CellRun(error=error, earlier=left_out + place if place < len(parts) - 1 else None)
    for left in reversed(range(TRIES)):
        box = judge.take(framework, wait_seconds, spare=True)
        try:
            run = _run(box, parts, framework, dict(inputs or {}), wants_result, limits)
            return run if run.earlier is None else replace(run, earlier=left_out + run.earlier)
        except BoxLost:
            if not left:
                raise
    raise AssertionError("unreachable")


def _run(
    box: Box, parts: list[str], framework: str, inputs: dict[str, Any], wants_result: bool, limits: Limits
) -> CellRun:
    with closing(box):
        _yields(box)
        box.prints_shown = limits.output_kb << 10
        request = {
            "op": "cell",
            "parts": parts,
            "inputs": inputs,
            "wants_result": wants_result,
            "framework": framework,
            "figures": FIGURES,
            "figure_bytes": FIGURE_BYTES,
            "text_characters": TEXT_CHARACTERS,
            "data_bytes": box.data_bytes() + (limits.memory_mb << 20),
            "output_bytes": VALUE_BYTES,
        }
        lines = len(parts[-1].splitlines())
        return _read(box.ask(request, limits.wall_seconds, limits, VALUE_BYTES, lines), parts, framework)


def _yields(box: Box) -> None:
    """Let submissions go first on the processor too. Later threads inherit the niceness of the one that makes them."""
    with contextlib.suppress(OSError):
        for thread in proc.threads(box.pid):
            os.setpriority(os.PRIO_PROCESS, thread, NICE)


# ------------------------------------------------------------------ the reply, read with suspicion


def _read(reply: Reply, parts: list[str], framework: str) -> CellRun:
    prints, wall_ms = reply.prints, round(reply.wall_ms, 1)
    answer = outcome_of(reply)
    match answer:
        case Returned(value=value):
            report = value if type(value) is dict else {}
            figures, notes = _figures(report)
            last_value, result = _value(report.get("last_value")), _result(report.get("result"))
            return CellRun(prints, last_value, figures, notes, result=result, wall_ms=wall_ms)
        case Raised() | Unreadable():
            error, earlier = _error(answer, parts, framework)
            return CellRun(prints, error=error, earlier=earlier, wall_ms=wall_ms)
        case Stopped() as stopped:
            return CellRun(prints, error=_stopped(stopped, parts[-1], framework), wall_ms=wall_ms)
        case Odd(text=text):
            return CellRun(prints, error=StudentError("OutputLimit", f"`result` is {text}."), wall_ms=wall_ms)
        case ReturnTooLarge():
            error = StudentError("OutputLimit", "Its result is too large to be shown.")
            return CellRun(prints, error=error, wall_ms=wall_ms)
        case Ran() | TraceTooSlow() | Disallowed() | Missing() | Misplaced() | Uncallable():
            raise AssertionError("no answer to a cell")
        case _:
            assert_never(answer)


def _stopped(stopped: Stopped, source: str, framework: str) -> StudentError:
    """What ended the box; at a time limit also which of the cell's lines it was in."""
    program, place = read_program(source, ()), stopped.where
    in_words = sentence(program, place, framework) if program is not None and place.stacks else None
    type_name = _STOPPED.get(stopped.reason, "Stopped")
    return StudentError(type_name, stopped.text, line_of(program, place), plain=in_words)


def _error(answer: Raised | Unreadable, parts: list[str], framework: str) -> tuple[StudentError, int | None]:
    """The error in words, and the position of its part where that is not the last one."""
    part = answer.part
    place = part if part is not None and 0 <= part < len(parts) else len(parts) - 1
    line = answer.line
    line = line if line is not None and line <= parts[place].count("\n") + 1 else None
    traceback = answer.traceback if isinstance(answer, Raised) else None
    in_words = plain(answer.type, answer.message, framework, parts[place], line)
    error = StudentError(answer.type, answer.message, line, traceback, in_words)
    return error, place if place < len(parts) - 1 else None


def _value(facts: Any) -> CellValue | None:
    if type(facts) is not dict:
        return None
    shape, dtype = facts.get("shape"), facts.get("dtype")
    if type(shape) is not list or len(shape) > MAX_AXES or not all(type(n) is int and 0 <= n < LARGEST for n in shape):
        shape = None
    return CellValue(
        _text(facts.get("type"), MAX_NAME) or "object",
        _text(facts.get("text"), TEXT_CHARACTERS + 2),
        tuple(shape) if shape is not None else None,
        _text(dtype, MAX_NAME) or None if shape is not None else None,
    )


def _figures(report: Mapping[str, Any]) -> tuple[tuple[CellFigure, ...], tuple[str, ...]]:
    entries = report.get("figures")
    figures: list[CellFigure] = []
    notes: list[str] = []
    for number, entry in enumerate(entries[:FIGURES] if type(entries) is list else [], 1):
        png = _png(entry.get("png")) if type(entry) is dict else None
        if png is None:
            notes.append(f"Figure {number} is left out: it is no picture of at most {FIGURE_BYTES >> 10} KB.")
        else:
            alt = " ".join(_text(entry.get("alt"), MAX_ALT).split())
            figures.append(CellFigure(png.data, alt, png.width, png.height))
    more = report.get("more")
    if type(more) is int and 0 < more < LARGEST:
        notes.append(f"Only the first {FIGURES} figures are shown; there are {more} more.")
    return tuple(figures), tuple(notes)


def _png(pixels: Any) -> Png | None:
    if not isinstance(pixels, np.ndarray) or pixels.dtype != np.uint8 or pixels.ndim != 1:
        return None
    try:
        return read_png(pixels.tobytes(), FIGURE_BYTES)
    except BadPng:
        return None


def _result(value: Any) -> Any:
    """JSON of at most RESULT_BYTES, else None. Arrays become lists, and non-finite numbers None."""
    tree = _as_json(value)
    return tree if len(json.dumps(tree)) <= RESULT_BYTES else None


def _as_json(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return (
            None if value.nbytes > RESULT_BYTES or value.dtype.kind == "c" else _as_json(value.astype(object).tolist())
        )
    if type(value) in (list, tuple):
        return [_as_json(item) for item in value]
    if type(value) is dict:
        return {storable(key): _as_json(item) for key, item in value.items()}
    if type(value) is str:
        return storable(value)
    if type(value) is float or (value is not None and type(value) not in (bool, int)):
        number = float(value) if isinstance(value, float) or hasattr(value, "dtype") else math.nan
        return number if math.isfinite(number) else None
    return value if type(value) is not int or -LARGEST < value < LARGEST else None


def _text(value: Any, limit: int) -> str:
    return storable(value[:limit]) if type(value) is str else ""


# ------------------------------------------------------------------ a row, read with the same suspicion


def _require(holds: bool, field: str, otherwise: str) -> None:
    if not holds:
        raise ValueError(f"`{field}` {otherwise}")


def _require_text(value: Any, field: str, most: int) -> str:
    _require(type(value) is str and len(value) <= most, field, f"is no text of at most {most} characters")
    _require(is_storable(value), field, "cannot be shown")
    return str(value)


def _require_whole(value: Any, field: str, least: int, most: int) -> int:
    _require(type(value) is int and least <= value <= most, field, f"is no whole number from {least} to {most}")
    return int(value)


def _require_list(value: Any, field: str, most: int) -> Sequence[Any]:
    _require(type(value) in (list, tuple) and len(value) <= most, field, f"is no list of at most {most}")
    return list(value)


def _facts(row: Any, kind: type) -> Mapping[str, Any]:
    """The fields of a dataclass: all of them, and no other."""
    names = {field.name for field in fields(kind)}
    _require(type(row) is dict and row.keys() == names, kind.__name__, "has other fields")
    return dict(row)


def _value_from(row: Any) -> CellValue | None:
    if row is None:
        return None
    value = _facts(row, CellValue)
    shape, dtype = value["shape"], value["dtype"]
    _require(shape is not None or dtype is None, "dtype", "is of no array")
    return CellValue(
        _require_text(value["type"], "type", MAX_NAME),
        _require_text(value["text"], "text", TEXT_CHARACTERS + 2),
        None
        if shape is None
        else tuple(_require_whole(n, "shape", 0, LARGEST - 1) for n in _require_list(shape, "shape", MAX_AXES)),
        None if dtype is None else _require_text(dtype, "dtype", MAX_NAME),
    )


def _figure_from(row: Any) -> CellFigure:
    figure = _facts(row, CellFigure)
    encoded = _require_text(figure["png"], "png", 4 * (FIGURE_BYTES // 3 + 1))
    png = read_png(base64.b64decode(encoded, validate=True), FIGURE_BYTES)
    for name, size in (("width", png.width), ("height", png.height)):
        _require_whole(figure[name], name, size, size)
    return CellFigure(png.data, _require_text(figure["alt"], "alt", MAX_ALT), png.width, png.height)


def _error_from(row: Any) -> StudentError | None:
    if row is None:
        return None
    error = _facts(row, StudentError)
    texts = {
        name: _require_text(text, name, MAX_ERROR_TEXT)
        for name, text in error.items()
        if name != "line" and (text is not None or name == "type")
    }
    line = error["line"]
    return StudentError(**texts, line=None if line is None else _require_whole(line, "line", 1, LINES))


def _result_from(value: Any) -> Any:
    is_ours = not _is_deeper(value, MAX_RESULT_DEPTH) and _result(value) == value
    _require(is_ours, "result", f"is no JSON of at most {RESULT_BYTES >> 10} KB")
    return value


def _is_deeper(tree: Any, levels: int) -> bool:
    parts = tree.values() if type(tree) is dict else tree if type(tree) is list else ()
    return levels < 0 or any(_is_deeper(part, levels - 1) for part in parts)


def _wall_ms_from(value: Any) -> float:
    _require(type(value) in (int, float) and 0 <= value <= MAX_WALL_MS, "wall_ms", "is no time that a cell takes")
    return float(value)
