"""Whether limits and tolerance leave room for right answers, and none for wrong ones."""

import math
import re
from pathlib import Path
from typing import Any

import numpy as np

from graders.boxes.pool import Judge
from graders.exercise.cases import Case
from graders.exercise.definition import Exercise
from graders.exercise.fault import Fault
from graders.exercise.runs import Measurement, measure, run
from graders.exercise.signature import Array, Scalar, Type, parts_of
from graders.proof.report import Usage
from graders.reasons.answers import share
from graders.reasons.compare import share_of_tolerance

HEADROOM = 5  # a limit should be this many times what right answers take
HONEST_SHARE = 0.5  # the share of the tolerance that a right answer may use
ROUNDING_ROOM = 10  # a calibrated tolerance is this many times what right answers use


def headroom_faults(
    judge: Judge, exercise: Exercise, cases: tuple[Case, ...], measured: dict[str, Measurement], folder: Path
) -> list[Fault]:
    """Faults for limits that a right answer comes near: on a busy day they would fail honest students."""
    faults = []
    for source in [exercise.reference, *exercise.solutions]:
        short = _short_of(exercise, measured[source.path])
        if short:  # again: this machine may have been busy with other work
            again = {usage.limit for usage in _short_of(exercise, measure(judge, exercise, source, cases))}
            short = [usage for usage in short if usage.limit in again]
        for usage in short:
            takes = f"{source.path} takes {usage.used:.3g} {usage.unit} of {usage.granted:g}"
            message = f"{takes}: allow at least {HEADROOM} times that."
            least_limit = math.ceil(HEADROOM * usage.used) or 1
            hint = f"Set {usage.limit} = {least_limit} in [limits], or make the cases smaller."
            line = _line_of(exercise, usage.limit) or _line_of(exercise, "[limits]")
            faults.append(Fault("warning", str(folder / "exercise.toml"), line, "headroom", message, hint))
    return faults


def _short_of(exercise: Exercise, measured: Measurement) -> list[Usage]:
    """The limits of which more than a fifth was used."""
    return [usage for usage in usages_of(exercise, measured) if HEADROOM * usage.used > usage.granted]


def usages_of(exercise: Exercise, measured: Measurement) -> tuple[Usage, ...]:
    """What a right answer used of each limit."""
    limits = exercise.limits
    slowest = max([measured.load_ms, *measured.calls_ms]) / 1000
    in_all = (measured.load_ms + sum(measured.calls_ms)) / 1000
    return (
        Usage("wall_seconds", slowest, limits.wall_seconds, "s for its slowest call"),
        Usage("total_seconds", in_all, limits.total_seconds, "s in all"),
        Usage("memory_mb", measured.memory_kb / 1024, limits.memory_mb, "MB of memory"),
        Usage("output_kb", measured.output_kb, limits.output_kb, "KB for its largest answer"),
    )


# ------------------------------------------------------------------ tolerance

_HALF_ARGUED = re.compile(r"^\s*#\s*half precision passes:\s*(\S.*?)\s*$", re.MULTILINE)


def tolerance_faults(
    judge: Judge, exercise: Exercise, cases: tuple[Case, ...], measured: dict[str, Measurement], folder: Path
) -> tuple[list[Fault], list[str]]:
    """Faults and findings: whether the tolerance has room for the right answers' rounding, and none for half precision.

    A computation in half precision ends in numbers that float16 can hold, and none of those is nearer to the expected
    ones than these rounded to float16. Where float16 holds the answers exactly, that proves nothing. Then the reference
    is run on inputs that were rounded so.
    """
    declared, path = exercise.signature.parsed_returns, str(folder / "exercise.toml")
    all_cases, cases = cases, tuple(case for case in cases if case.error is None and case.script is None)
    if not _is_fine(declared) or not cases or exercise.checker is not None:
        return [], []
    line = _line_of(exercise, "[tolerance]")
    honest = {
        source.path: max(
            share(exercise, case, case_outcomes[0])
            for case, case_outcomes in zip(all_cases, outcomes, strict=True)
            if case in cases
        )
        for source in exercise.solutions
        if (outcomes := measured[source.path].outcomes)
    }
    used = max((used_share for used_share in honest.values() if used_share <= 1), default=0.0)
    half = max(_half_share(exercise, case) for case in cases)
    if half <= 1:
        half = max(half, _half_inputs_share(judge, exercise, cases))
    faults, findings = [], []
    advice = _calibrated(exercise, cases, used, half)
    for name, used_share in honest.items():
        if HONEST_SHARE < used_share <= 1:
            message = (
                f"{name} is right and uses {percent(used_share)} of the tolerance: another right answer may exceed it."
            )
            faults.append(Fault("warning", path, line, "tolerance-tight", message, advice or "Widen [tolerance]."))
    if half <= 1:
        argued = _HALF_ARGUED.search(exercise.files["exercise.toml"].decode())
        if argued:
            findings.append(f"half precision passes, for the stated reason: {argued[1]}")
        elif all(_is_whole(case.expected) for case in cases):
            findings.append("half precision passes, since the answers are whole numbers")
        else:
            hint = advice or "Tighten [tolerance], or give cases values that float16 cannot hold."
            hint += " If it should pass, say why in a comment there: `# half precision passes: …`."
            message = "Half precision is within the tolerance on every case."
            faults.append(Fault("error", path, line, "tolerance-loose", message, hint))
    else:
        if math.isinf(half):
            findings.append("half precision fails because it cannot hold the answers")
        else:
            findings.append(f"half precision fails, at {half:.3g} times the tolerance")
        if honest:
            which = "; of the tolerance" if math.isinf(half) else ", of which"
            findings[-1] += f"{which} the solutions use {percent(used)}"
    return faults, findings


def _is_fine(declared: Type) -> bool:
    """Whether answers hold more digits than half precision has."""
    if isinstance(declared, Array):
        return declared.dtype in ("float32", "float64", "float")
    return declared in (Scalar("float"), Scalar("number")) or any(map(_is_fine, parts_of(declared)))


def _is_whole(value: Any) -> bool:
    """Whether every number in it is whole: a count is right or wrong, whatever computed it."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind not in "fc" or bool(np.array_equal(value, np.round(value)))
    if isinstance(value, dict):
        return all(map(_is_whole, value.values()))
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(_is_whole, value))
    return not isinstance(value, float) or value.is_integer()


def _halved(value: Any) -> Any:
    """Rounded to half precision, but in its own dtype."""
    if isinstance(value, np.ndarray) and value.dtype.name in ("float32", "float64"):
        with np.errstate(over="ignore"):
            return value.astype(np.float16).astype(value.dtype)
    if isinstance(value, tuple | list):
        return type(value)(map(_halved, value))
    if isinstance(value, dict):
        return {key: _halved(item) for key, item in value.items()}
    return float(_halved(np.array(value))) if isinstance(value, float) else value


def _half_share(exercise: Exercise, case: Case) -> float:
    declared = exercise.signature.parsed_returns
    return share_of_tolerance(case.expected, _halved(case.expected), declared, case.dims, exercise.tolerance)


def _half_inputs_share(judge: Judge, exercise: Exercise, cases: tuple[Case, ...]) -> float:
    """The largest error of the reference on inputs rounded to half precision, as a share of the tolerance."""
    halved = [_halved(dict(case.inputs)) for case in cases]
    outcomes = run(judge, exercise, exercise.reference, halved)
    return max(share(exercise, case, outcome) for case, outcome in zip(cases, outcomes, strict=True))


def _calibrated(exercise: Exercise, cases: tuple[Case, ...], used: float, half: float) -> str | None:
    """Advice: a tolerance of ten times what right answers need. None if half precision would be within that."""
    tolerance, declared = exercise.tolerance, exercise.signature.parsed_returns

    def last_digit(case: Case) -> float:
        neighbour = _next_number(case.expected)
        return share_of_tolerance(case.expected, neighbour, declared, case.dims, tolerance)

    needed = max(used, *(step for case in cases if math.isfinite(step := last_digit(case))), 0.0) * ROUNDING_ROOM
    if not 0 < needed < half / ROUNDING_ROOM or not tolerance.rtol + tolerance.atol:
        return None
    rtol, atol = (float(f"{factor * needed:.0e}") for factor in (tolerance.rtol, tolerance.atol))
    return f"Calibrated to the right answers, the tolerance would be rtol = {rtol:g}, atol = {atol:g}."


def _next_number(value: Any) -> Any:
    """Each number replaced by its neighbour: the least error that an honest answer may have."""
    if isinstance(value, np.ndarray) and value.dtype.name in ("float32", "float64"):
        return np.nextafter(value, np.array(np.inf, value.dtype))
    if isinstance(value, tuple | list):
        return type(value)(map(_next_number, value))
    if isinstance(value, dict):
        return {key: _next_number(item) for key, item in value.items()}
    return math.nextafter(value, math.inf) if isinstance(value, float) else value


def percent(share: float) -> str:
    return f"{100 * share:.2g}%" if share >= 1e-3 or not share else "less than 0.1%"


def _line_of(exercise: Exercise, key: str) -> int | None:
    """The line of exercise.toml that begins with a key or a section."""
    lines = exercise.files["exercise.toml"].decode().splitlines()
    return next((n for n, line in enumerate(lines, 1) if re.match(rf"\s*{re.escape(key)}(?!\w)", line)), None)
