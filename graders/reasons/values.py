"""Python values, and the values of a script's statements: the one slip that explains them in every wrong case.

In a right case the same slip must change nothing: reversed answers are right only where they read the same both ways.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graders.boxes.reply import CallOutcome, Ran, Returned
from graders.exercise.cases import Case
from graders.exercise.definition import Exercise
from graders.exercise.signature import Record, Tuple, Type, resolved
from graders.reasons.alterations import Alteration, alterations, same
from graders.reasons.answers import compared_values
from graders.reasons.compared import MAX_RIGHT, MAX_WRONG, Found, Sentence

ENOUGH = 3  # items or letters that are compared in all wrong cases together; one number has the weight of one item


@dataclass(frozen=True)
class Value:
    """An expected value and yours, or a part of them that the signature names. `where` is its place."""

    expected: Any
    yours: Any
    where: tuple[Any, ...]

    @property
    def weight(self) -> int:
        return len(self.expected) if isinstance(self.expected, list | tuple | str | dict | set) else 1


def values(
    exercise: Exercise, cases: Sequence[Case], outcomes: Mapping[int, CallOutcome], wrong: Sequence[int]
) -> Iterator[Found]:
    """The slip, for the whole answer or the largest part of it."""
    returned = [n for n in wrong if isinstance(outcomes.get(n), Returned | Ran)][:MAX_WRONG]
    levels = {n: _levels(exercise, cases[n], outcomes[n]) for n in returned}
    if not levels or not all(levels.values()):
        return
    for where in levels[returned[0]]:
        if not all(where in found for found in levels.values()):
            continue
        pairs = {n: found[where] for n, found in levels.items()}
        right = _right_values(exercise, cases, outcomes, wrong, where)
        lengths = {n: _lengths(cases[n]) for n in (*pairs, *right)}
        key = _key(pairs, right, lengths)
        if key is not None:
            yield _found(key, pairs, lengths)
            return


def _found(key: str, pairs: Mapping[int, Value], lengths: Mapping[int, list[tuple[str, int]]]) -> Found:
    sentences = {}
    for n, value in pairs.items():
        place = "".join(f"[{part!r}]" for part in value.where)
        text = _by_key(value, lengths[n])[key].text
        text = f"In result{place}: {text}" if place else text
        sentences[n] = Sentence(text, text)
    return Found("value_altered", key, sentences)


def _key(
    pairs: Mapping[int, Value], right: Mapping[int, Value], lengths: Mapping[int, list[tuple[str, int]]]
) -> str | None:
    """The key of the only alteration that fits, those that say less only where no other does."""
    wrong = [(value, _by_key(value, lengths[n])) for n, value in pairs.items()]
    if sum(value.weight for value, _ in wrong) < ENOUGH and len(wrong) < ENOUGH:
        return None
    common = set.intersection(*(set(found) for _, found in wrong))
    fitting = [key for key in common if all(same(found[key].value, value.yours) for value, found in wrong)]
    made = [_by_key(value, lengths[n]) for n, value in right.items()]
    fitting = [key for key in fitting if all(_leaves_alone(value, made[n].get(key)) for n, value in
                                             enumerate(right.values()))]  # fmt: skip
    clear = [key for key in fitting if not wrong[0][1][key].is_vague]
    chosen = clear or fitting
    if "reversed" in chosen:  # what is expected is sorted itself
        chosen = [key for key in chosen if key not in ("ascending", "descending")]
    return chosen[0] if len(chosen) == 1 else None


def _leaves_alone(value: Value, alteration: Alteration | None) -> bool:
    """Whether the slip would leave a right answer as it is. Such as concern only what came beside it, say nothing."""
    return alteration is None or same(alteration.value, value.expected)


def _by_key(value: Value, lengths: Sequence[tuple[str, int]]) -> dict[str, Alteration]:
    return {each.key: each for each in alterations(value.expected, value.yours, lengths)}


def _lengths(case: Case) -> list[tuple[str, int]]:
    return [(name, len(value)) for name, value in case.inputs.items() if isinstance(value, list | tuple)]


# ------------------------------------------------------------------ the values of a case


def _levels(exercise: Exercise, case: Case, outcome: CallOutcome) -> dict[tuple[Any, ...], Value]:
    """The whole value, and the fields of a dict and parts of a tuple that differ, by their places."""
    compared = compared_values(exercise, case, outcome)
    if compared is None or isinstance(compared[1], np.ndarray):
        return {}
    parts = _parts(*compared, ())
    return {part.where: part for part in parts if not part.where or not same(part.expected, part.yours)}


def _parts(declared: Type, expected: Any, yours: Any, where: tuple[Any, ...]) -> Iterator[Value]:
    yield Value(expected, yours, where)
    match resolved(declared, expected):
        case Record(fields=fields) if isinstance(yours, dict):
            for key, type_ in fields:
                if key in yours:
                    yield from _parts(type_, expected[key], yours[key], (*where, key))
        case Tuple(items=items) if isinstance(yours, list | tuple) and len(yours) == len(items) and where == ():
            for place, type_ in enumerate(items):
                yield from _parts(type_, expected[place], yours[place], (*where, place))


def _right_values(
    exercise: Exercise,
    cases: Sequence[Case],
    outcomes: Mapping[int, CallOutcome],
    wrong: Sequence[int],
    where: tuple[Any, ...],
) -> dict[int, Value]:
    """The value at that place in cases that are right. A script's values are of other statements, and left out."""
    found = {}
    for n in [n for n in outcomes if n not in wrong and isinstance(outcomes[n], Returned)][:MAX_RIGHT]:
        compared = compared_values(exercise, cases[n], outcomes[n])
        for value in _parts(*compared, ()) if compared is not None else ():
            if value.where == where:
                found[n] = value
    return found
