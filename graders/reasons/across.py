"""The looks that examine all cases of a submission together, and where they stand in the order of diagnoses.

Each finds what holds for every wrong case, or nothing. `diagnose` ranks that among what single cases show.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from graders.boxes.reply import CallOutcome
from graders.exercise.cases import Case
from graders.exercise.definition import Exercise
from graders.reasons.compared import Comparisons, Found, comparisons
from graders.reasons.leftovers import leftovers
from graders.reasons.origins import origins
from graders.reasons.places import places
from graders.reasons.shapes import shapes
from graders.reasons.values import values

# Between those of `diagnose`, whose numbers are whole. The lowest is shown.
RANKS: Mapping[str, float] = {
    "rows_picked": 4,  # with reversed and rolled: two such rules that fit are silent
    "value_altered": 11.45,  # what the source shows goes before it
    "input_left_over": 11.2,  # a factor or an offset explains the same with less
    "only_where": 11.5,
    "shape_named": 11.7,
    "only_there": 12.5,
    "rows_from_elsewhere": 14.5,
}

_LOOKS: tuple[Callable[[Comparisons], Iterator[Found]], ...] = (origins, leftovers, places, shapes)


def across(
    exercise: Exercise, cases: Sequence[Case], outcomes: Mapping[int, CallOutcome], wrong: Sequence[int]
) -> Iterator[Found]:
    """What holds for every wrong case. `outcomes` and `wrong` use indices into `cases`.

    Where a checker accepts several answers, the reference's is only one of them, and nothing is compared to it.
    """
    if exercise.checker is not None:
        return
    yield from values(exercise, cases, outcomes, wrong)
    compared = comparisons(exercise, cases, outcomes, wrong)
    if compared is None or all(_is_constant(each.actual) for each in compared.wrong):
        return
    for look in _LOOKS:
        yield from look(compared)


def _is_constant(array: Any) -> bool:
    """Whether an array is one number over and over, which `diagnose` says itself."""
    flat = array.ravel().astype(np.float64)
    return flat.size > 1 and bool((flat == flat[0]).all() or np.isnan(flat).all())
