"""The looks that compare expected and actual numbers in other ways than by order and place, and their ranks."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from graders.boxes.reply import CallOutcome
from graders.exercise.cases import Case
from graders.exercise.definition import Exercise
from graders.reasons.drawn import drawn_otherwise
from graders.reasons.gaps import gaps
from graders.reasons.invariants import broken_invariants
from graders.reasons.pairs import Diagnosis, Pair
from graders.reasons.precision import own_precision
from graders.reasons.relations import reduced, related, related_by_rows

# Between the ranks of `diagnose`, which are whole numbers. The lowest is shown.
RANKS: Mapping[str, float] = {
    "rounded": 1,  # what is rounded is also half right in other ways
    "half_values": 7.5, "single_values": 7.5,
    "reduced": 8.5, "not_reduced": 8.5,
    "signs_only": 9, "wrong_norm": 9, "epsilon": 9, "largest_alone": 9, "clipped": 9,
    "power": 10,
    "drawn_scaled": 9.5, "degrees_of_freedom": 9.5,  # which explain a factor
    "underflow": 11, "overflow": 11, "masked_rows": 11, "not_shifted": 10.5,  # which explain NaN
    "drawn_shape": 11.1, "drawn_uniform": 11.1, "drawn_normal": 11.1, "drawn_spread": 11.1, "drawn_truncated": 11.1,
    "drawn_again": 11.1, "drawn_dtype": 11.1,
    "scaled": 11.25, "moved": 11.25,
    "factor_along": 11.3, "offset_along": 11.3,
    "factor_of_rows": 11.4, "offset_of_rows": 11.4,
    "left_zero": 11.6,  # which says more than which rows are right
    "whole_numbers": 13.5,
    "invariant": 14.6,
}  # fmt: skip

# Shown only if every case allows them.
EVERYWHERE = frozenset({
    "signs_only", "wrong_norm", "epsilon", "largest_alone", "clipped", "power", "degrees_of_freedom", "left_zero",
})  # fmt: skip

# Shown only if every case with NaN allows them.
NAN_ROWS = frozenset({"underflow", "overflow", "masked_rows", "not_shifted"})

LOOKS: tuple[Callable[[Pair], Iterator[Diagnosis]], ...] = (related, reduced, gaps)


def over_all_numbers(
    exercise: Exercise,
    cases: Sequence[Case],
    outcomes: Mapping[int, CallOutcome],
    pairs: Mapping[int, Pair],
    is_divided: bool = False,
) -> Iterator[tuple[int, Diagnosis]]:
    """What the numbers of all wrong cases show together, by index into `cases`."""
    yield from own_precision(pairs)
    yield from related_by_rows(pairs, is_divided)
    yield from drawn_otherwise(exercise, cases, outcomes, pairs)
    yield from broken_invariants(exercise, cases, pairs)
