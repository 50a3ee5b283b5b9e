"""What `check` proves about fresh cases, the hidden ones that each submission meets alone.

DRAWS sets are drawn, with seeds made from the exercise's name, so that two checks see the same. The reference must
answer all of them, every right answer must be right on all, and every known mistake wrong on some. Otherwise a table of
the fixed cases, with that mistake for the rest, would be accepted.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from graders.boxes.pool import Judge
from graders.boxes.reply import CallOutcome, Stopped
from graders.boxes.sandbox import Box
from graders.exercise.built import built_of, cases_of, mistakes_of
from graders.exercise.cases import Case, digest
from graders.exercise.checker import checker_of
from graders.exercise.definition import BrokenExercise, Exercise, Source
from graders.exercise.fault import Fault
from graders.exercise.fresh import FreshSet, draw
from graders.exercise.runs import run, seed_of
from graders.frameworks import compiles
from graders.reasons.answers import share

DRAWS = 20


def draws_of(judge: Judge, exercise: Exercise) -> list[FreshSet]:
    """The sets that a check uses. Raises BrokenExercise where the exercise fails on one."""
    seeds = [seed_of(f"{exercise.slug}:check:{number}") for number in range(DRAWS)]
    try:
        return [fresh for fresh in draw(judge, exercise, seeds) if fresh.cases]
    except BrokenExercise as broken:
        hint = f"the reference must answer every case drawn from `rng`: {broken.hint}"
        raise BrokenExercise(
            broken.path, f"{broken.about_it} (fresh cases)", hint, broken.line, broken.subject
        ) from None


def draw_faults(judge: Judge, exercise: Exercise, draws: Sequence[FreshSet], folder: Path) -> list[Fault]:
    """All faults of the fresh cases. Raises BoxLost, JudgeUnavailable."""
    path = str(folder / "cases.py")
    if not built_of(judge, exercise).drawn:
        message = "No hidden case is drawn from `rng`: once the cases are known, a table of their answers is accepted."
        hint = "Draw the numbers of at least one: `rng.normal(size=(4, 5))`. Every submission then gets fresh numbers."
        return [Fault("error", path, None, "no-fresh-cases", message, hint)]
    return [
        *_poor(draws, path),
        *_compiled_each_time(exercise, draws, path),
        *_wrong_answers(judge, exercise, draws, folder),
        *_mistakes_that_pass(judge, exercise, draws, folder),
    ]


def _by_name(draws: Sequence[FreshSet]) -> Mapping[str, list[Case]]:
    cases: dict[str, list[Case]] = defaultdict(list)
    for fresh in draws:
        for case in fresh.cases:
            cases[case.name].append(case)
    return cases


def _poor(draws: Sequence[FreshSet], path: str) -> Iterator[Fault]:
    """Cases with so few different draws that a table can hold them all."""
    for name, cases in _by_name(draws).items():
        inputs = {digest(case.inputs) for case in cases}
        if len(inputs) < len(cases):
            message = f"Only {len(inputs)} of {len(cases)} draws of the case {name!r} differ: a table holds them all."
            yield Fault("warning", path, None, "fresh-repeats", message, "Draw more of its numbers from `rng`.")
        elif len(cases) > 2 and len({digest({"returns": _answer(case)}) for case in cases}) == 1:
            message = f"The answer to the case {name!r} is the same in all {len(cases)} draws."
            hint = "Draw the inputs that the answer depends on."
            yield Fault("warning", path, None, "fresh-same-answer", message, hint)


def _answer(case: Case) -> Any:
    if case.script is not None:
        return list(case.expected)
    return case.expected if case.error is None else [case.error.name, case.error.message]


def _compiled_each_time(exercise: Exercise, draws: Sequence[FreshSet], path: str) -> Iterator[Fault]:
    """Cases with random shapes: JAX compiles each while a student waits."""
    if not any(map(compiles, exercise.frameworks)):
        return
    for name, cases in _by_name(draws).items():
        shapes = {str((_shapes(dict(case.inputs)), _shapes(case.expected))) for case in cases}
        if len(shapes) > 1:
            message = f"The case {name!r} has {len(shapes)} different shapes in {len(cases)} draws; JAX compiles each."
            hint = "Draw its numbers from `rng`, and give it a fixed shape."
            yield Fault("warning", path, None, "fresh-shapes", message, hint)


def _shapes(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.shape
    if isinstance(value, dict):
        return {key: _shapes(item) for key, item in value.items()}
    return [_shapes(item) for item in value] if isinstance(value, list | tuple) else None


def _wrong_answers(judge: Judge, exercise: Exercise, draws: Sequence[FreshSet], folder: Path) -> Iterator[Fault]:
    for source in exercise.solutions:
        wrong = _first_wrong(judge, exercise, source, draws)
        if wrong is not None:
            fresh, case, _ = wrong
            message = f"Is wrong on the case {case.name!r} when drawn with the seed {fresh.seed}."
            hint = f"./lectern grade {folder} {folder / source.path} --seed {fresh.seed} shows how."
            yield Fault("error", str(folder / source.path), None, "not-accepted-fresh", message, hint)


def _mistakes_that_pass(judge: Judge, exercise: Exercise, draws: Sequence[FreshSet], folder: Path) -> Iterator[Fault]:
    """Mistakes that only fixed cases reject. One that no case rejects at all is another fault (gate.py)."""
    cases, known_outcomes = cases_of(judge, exercise), mistakes_of(judge, exercise)
    boxes: dict[str, Box] = {}
    try:
        for mistake in exercise.mistakes:
            if _is_right(judge, exercise, cases, known_outcomes[mistake.name]):
                continue
            framework = mistake.source.framework
            box = boxes.get(framework) or judge.take(framework)
            boxes[framework] = box
            wrong = _first_wrong(judge, exercise, mistake.source, draws, box)
            if wrong is not None and isinstance(wrong[2], Stopped):
                boxes.pop(framework).close()
            if wrong is None:
                message = f"Is right on all {DRAWS} draws of the fresh cases: only fixed cases reject it."
                hint = "Draw a hidden case from `rng` on which it is wrong: fixed cases can become known."
                path = str(folder / mistake.source.path)
                yield Fault("warning", path, None, "mistake-fresh", message, hint)
    finally:
        for box in boxes.values():
            box.close()


def _is_right(judge: Judge, exercise: Exercise, cases: Sequence[Case], outcomes: Sequence[CallOutcome]) -> bool:
    with checker_of(judge, exercise) or nullcontext() as checker:
        return all(share(exercise, case, outcome, checker) <= 1 for case, outcome in zip(cases, outcomes, strict=True))


def _first_wrong(
    judge: Judge, exercise: Exercise, source: Source, draws: Sequence[FreshSet], box: Box | None = None
) -> tuple[FreshSet, Case, CallOutcome] | None:
    """The first case on which an instructor's file is wrong."""
    pairs = [(fresh, case) for fresh in draws for case in fresh.cases]
    inputs = [case.inputs for _, case in pairs]
    with (
        closing(run(judge, exercise, source, inputs, box)) as outcomes,
        checker_of(judge, exercise) or nullcontext() as checker,
    ):
        for (fresh, case), outcome in zip(pairs, outcomes, strict=True):
            if share(exercise, case, outcome, checker) > 1:
                return fresh, case, outcome
    return None
