"""Right answers in other clothes, and wrong ones that look right: are the first accepted, and the second not?

    .venv/bin/python -P benchmarks/clothes.py FOLDER…

Each exercise below the folders (`./lectern import` writes such) is judged once for each change below, with its own
reference as the submission, whose answers are changed on their way out. A change counts where it alters an answer that
a case asks for: to round to three digits what has only three is no change, and rounding counts only beyond the
tolerance. A first submission, which fails where an answer is altered, finds that out.
"""

import argparse
import math
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from graders.boxes.pool import Judge  # noqa: E402
from graders.exercise.built import cases_of  # noqa: E402
from graders.exercise.cases import Case  # noqa: E402
from graders.exercise.definition import BrokenExercise, Exercise  # noqa: E402
from graders.exercise.reader import read_exercise  # noqa: E402
from graders.grade import Finished, grade  # noqa: E402
from graders.verdict import Verdict  # noqa: E402

# How an answer is changed, in the box. `leaf` is what becomes of each number; containers keep their shape.
WALK = """
def _each(value, leaf):
    if type(value) in (list, tuple):
        return type(value)(_each(item, leaf) for item in value)
    if type(value) is dict:
        return {key: _each(item, leaf) for key, item in value.items()}
    return leaf(value)
"""
CLOTHES = {
    "a list for a tuple": "lambda v: [_dress(i) for i in v] if type(v) in (list, tuple) else v",
    "a tuple for a list": "lambda v: tuple(_dress(i) for i in v) if type(v) in (list, tuple) else v",
    "NumPy's scalars": "lambda v: _each(v, lambda x: {bool: _np.bool_, int: _np.int64, float: _np.float64}"
    ".get(type(x), lambda y: y)(x) if not (type(x) is int and abs(x) > 2**62) else x)",
    "a dict in another order": "lambda v: dict(reversed(v.items())) if type(v) is dict else v",
    "-0.0 for 0.0": "lambda v: _each(v, lambda x: -0.0 if isinstance(x, _FLOATS) and x == 0 else "
    "_np.where(x == 0, -x, x) if isinstance(x, _np.ndarray) and x.dtype.kind == 'f' else x)",
    "the last digit": "lambda v: _each(v, lambda x: _math.nextafter(x, _math.inf) if isinstance(x, _FLOATS) else "
    "_np.nextafter(x, x.dtype.type(_np.inf)) if isinstance(x, _np.ndarray) and x.dtype.kind == 'f' else x)",
}
ROUNDED = "rounded to three digits"
FAKES = {
    "a string of the answer": "lambda v: str(v)",
    "one axis more": "lambda v: v[None] if isinstance(v, _np.ndarray) else [v]",
    ROUNDED: "lambda v: _each(v, lambda x: round(x, 3) if isinstance(x, _FLOATS) and _math.isfinite(x) else "
    "_np.round(x, 3) if isinstance(x, _np.ndarray) and x.dtype.kind == 'f' else x)",
    "float32 for float64": "lambda v: _each(v, lambda x: x.astype(_np.float32) "
    "if isinstance(x, _np.ndarray) and x.dtype == _np.float64 else x)",
}
WRAP = """

import functools as _functools, math as _math
import numpy as _np
_FLOATS = (float, _np.floating)
{walk}
_dress = {change}
_depth = 0
def _dressed(function):
    @_functools.wraps(function)
    def call(*arguments, **named):
        global _depth
        _depth += 1
        try:
            answer = function(*arguments, **named)
        finally:
            _depth -= 1
        if _depth or not isinstance(answer, (int, float, str, list, tuple, dict, _np.ndarray, _np.generic)):
            return answer  # inside the program its own answers stay; and an object has no clothes
        changed = _dress(answer)
        if {is_probe} and repr((type(changed), changed)) != repr((type(answer), answer)):
            raise RuntimeError("altered")
        return changed
    return call
for _name in {entries!r}:
    _entry = globals()[_name]
    if callable(_entry) and not isinstance(_entry, type):
        globals()[_name] = _dressed(_entry)
    elif callable(_entry):
        for _method, _function in list(vars(_entry).items()):
            if callable(_function) and not _method.startswith("_") and not isinstance(_function, type):
                setattr(_entry, _method, _dressed(_function))
"""


@dataclass
class Tally:
    tried: int = 0
    other: list[str] | None = None  # the exercises whose verdict is not as it should be

    def add(self, slug: str, as_it_should: bool) -> None:
        self.tried += 1
        if not as_it_should:
            self.other = [*(self.other or []), slug]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folders", nargs="+", type=Path)
    folders = [path.parent for root in parser.parse_args().folders for path in sorted(root.glob("**/exercise.toml"))]
    tallies = {change: Tally() for change in (*CLOTHES, *FAKES)}
    skipped: Counter[str] = Counter()
    with Judge(frameworks=["numpy"], parked={"numpy": 2}) as judge:
        for n, folder in enumerate(folders, 1):
            print(f"\r{n} of {len(folders)}", end="", file=sys.stderr)
            try:
                exercise = unhurried(read_exercise(folder))
                cases = cases_of(judge, exercise)
            except BrokenExercise as broken:
                skipped[str(broken.message)[:60]] += 1
                continue
            for change, tally in tallies.items():
                if change == ROUNDED and not any(rounds(exercise, case) for case in cases):
                    continue
                if verdict(judge, exercise, change, is_probe=True) != Verdict.accepted:
                    accepted = verdict(judge, exercise, change) == Verdict.accepted
                    tally.add(exercise.slug, accepted == (change in CLOTHES))
    print(
        f"\n{len(folders) - skipped.total()} exercises; not read or without cases: {skipped.total()}\n", file=sys.stderr
    )
    print("| | tried | as it should be | otherwise |\n|---|--:|--:|---|")
    for change, tally in tallies.items():
        other = tally.other or []
        wrong = "rejected" if change in CLOTHES else "accepted"
        listed = f"{wrong}: {', '.join(other)}" if other else ""
        print(f"| {change} | {tally.tried} | {tally.tried - len(other)} | {listed} |")


def unhurried(exercise: Exercise) -> Exercise:
    """A changed answer may take longer: this is not about time."""
    limits = replace(exercise.limits, wall_seconds=30, cpu_seconds=30, total_seconds=120)
    return replace(exercise, limits=limits, source_rules=())


def verdict(judge: Judge, exercise: Exercise, change: str, is_probe: bool = False) -> Verdict:
    changed = {**CLOTHES, **FAKES}[change]
    wrapped = WRAP.format(walk=WALK, change=changed, entries=exercise.entries, is_probe=is_probe)
    source = exercise.reference.text + wrapped
    *_, last = grade(exercise, source.encode(), exercise.reference.framework, judge)
    assert isinstance(last, Finished)
    return last.result.verdict


def rounds(exercise: Exercise, case: Case) -> bool:
    """Whether rounding to three digits moves an expected float by more than the tolerance."""
    tolerance = case.tolerance(exercise)
    values = [case.expected]
    if case.script is not None:
        values = [content for _, kind, content in case.expected if kind == "value"]
    found = (x for value in values for x in floats(value) if math.isfinite(x))
    return any(abs(round(x, 3) - x) > tolerance.atol + tolerance.rtol * abs(x) for x in found)


def floats(value: Any) -> Iterator[float]:
    """Every float of an answer, in its arrays too."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from floats(item)
    elif isinstance(value, float):
        yield value
    elif isinstance(value, np.ndarray) and value.dtype.kind == "f":
        yield from map(float, value.ravel())


if __name__ == "__main__":
    main()
