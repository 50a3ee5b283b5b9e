"""What `check` proves about fresh cases, the hidden ones that each submission meets alone.

DRAWS sets are drawn, with seeds made from the exercise's name, so that two checks see the same. The reference must
answer all of them, every right answer must be right on all, and every known mistake wrong on some. Otherwise a table of
the fixed cases, with that mistake for the rest, would be accepted.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from graders.boxes.pool import Judge
from graders.boxes.reply import CallOutcome, Stopped
from graders.boxes.sandbox import Box
from graders.exercise.built import built_of, cases_of, mistakes_of
from graders.exercise.cases import Case, digest, warmth_of
from graders.exercise.checker import checker_of
from graders.exercise.definition import BrokenExercise, Exercise, KnownMistake
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


def draw_faults(
    judge: Judge,
    exercise: Exercise,
    draws: Sequence[FreshSet],
    outcomes: Mapping[str, Sequence[CallOutcome]],
    passing: Sequence[str],
    folder: Path,
) -> list[Fault]:
    """All faults of the fresh cases. `outcomes`: of each solution, by its path, on `inputs_of_draws`; `passing`: the
    paths of `mistakes_that_pass`. Raises BoxLost, JudgeUnavailable."""
    path = str(folder / "cases.py")
    if not built_of(judge, exercise).drawn:
        message = "No hidden case is drawn from `rng`: once the cases are known, a table of their answers is accepted."
        hint = "Draw the numbers of at least one: `rng.normal(size=(4, 5))`. Every submission then gets fresh numbers."
        return [Fault("error", path, None, "no-fresh-cases", message, hint)]
    return [
        *_poor(draws, path),
        *_compiled_each_time(exercise, draws, path),
        *_wrong_answers(judge, exercise, draws, outcomes, folder),
        *_passing(passing, folder),
    ]


def inputs_of_draws(draws: Sequence[FreshSet]) -> list[Mapping[str, Any]]:
    """Of all cases of the draws, in order."""
    return [case.inputs for fresh in draws for case in fresh.cases]


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


def _wrong_answers(
    judge: Judge,
    exercise: Exercise,
    draws: Sequence[FreshSet],
    outcomes: Mapping[str, Sequence[CallOutcome]],
    folder: Path,
) -> Iterator[Fault]:
    for source in exercise.solutions:
        wrong = _first_wrong(judge, exercise, draws, outcomes[source.path])
        if wrong is not None:
            fresh, case, _ = wrong
            message = f"Is wrong on the case {case.name!r} when drawn with the seed {fresh.seed}."
            hint = f"./lectern grade {folder} {folder / source.path} --seed {fresh.seed} shows how."
            yield Fault("error", str(folder / source.path), None, "not-accepted-fresh", message, hint)


def _passing(paths: Sequence[str], folder: Path) -> Iterator[Fault]:
    for path in paths:
        message = f"Is right on all {DRAWS} draws of the fresh cases: only fixed cases reject it."
        hint = "Draw a hidden case from `rng` on which it is wrong: fixed cases can become known."
        yield Fault("warning", str(folder / path), None, "mistake-fresh", message, hint)


def mistakes_that_pass(
    judge: Judge, exercise: Exercise, draws: Sequence[FreshSet], known: Mapping[str, bool]
) -> list[str]:
    """The paths of the mistakes that only fixed cases reject. One that no case rejects at all is another fault
    (gate.py). `known`: whether a mistake passes, by name, where that was tried. Raises BoxLost, JudgeUnavailable."""
    if not built_of(judge, exercise).drawn:
        return []  # which is a fault of its own
    cases, known_outcomes = cases_of(judge, exercise), mistakes_of(judge, exercise)
    boxes: dict[str, Box] = {}
    paths = []
    try:
        for mistake in exercise.mistakes:
            if _is_right(judge, exercise, cases, known_outcomes[mistake.name]):
                continue
            passes = known.get(mistake.name)
            if passes is None:
                framework = mistake.source.framework
                warmth = warmth_of(exercise, cases, framework)
                box = boxes[framework] = boxes.get(framework) or judge.take(framework, warmth=warmth)
                passes, is_broken = passes_in(judge, exercise, mistake, draws, box)
                if is_broken:
                    boxes.pop(framework).close()
            if passes:
                paths.append(mistake.source.path)
    finally:
        for box in boxes.values():
            box.close()
    return paths


def passes_in(
    judge: Judge, exercise: Exercise, mistake: KnownMistake, draws: Sequence[FreshSet], box: Box
) -> tuple[bool, bool]:
    """Whether a mistake is right on all draws, and whether it broke the box."""
    with closing(run(judge, exercise, mistake.source, inputs_of_draws(draws), box)) as outcomes:
        wrong = _first_wrong(judge, exercise, draws, outcomes)
    return wrong is None, wrong is not None and isinstance(wrong[2], Stopped)


def _is_right(judge: Judge, exercise: Exercise, cases: Sequence[Case], outcomes: Sequence[CallOutcome]) -> bool:
    with checker_of(judge, exercise) or nullcontext() as checker:
        return all(share(exercise, case, outcome, checker) <= 1 for case, outcome in zip(cases, outcomes, strict=True))


def _first_wrong(
    judge: Judge, exercise: Exercise, draws: Sequence[FreshSet], outcomes: Iterable[CallOutcome]
) -> tuple[FreshSet, Case, CallOutcome] | None:
    """The first case on which the outcome is wrong, of as many as there are outcomes of."""
    pairs = [(fresh, case) for fresh in draws for case in fresh.cases]
    with checker_of(judge, exercise) or nullcontext() as checker:
        for (fresh, case), outcome in zip(pairs, outcomes, strict=False):
            if share(exercise, case, outcome, checker) > 1:
                return fresh, case, outcome
    return None
