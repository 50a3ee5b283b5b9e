"""Why it is wrong, in one sentence: the outcome of a known mistake, or the expected array put another way.

A known mistake outranks everything, since an author wrote its sentence. Otherwise every function of `_LOOKS` examines
each wrong case, and yields the diagnoses that fit. These rules choose among them:

1. Diagnoses that fit every wrong case that returned something outrank those that fit a few. So a second case decides
   what the first leaves open: on an axis of two, reversed and rolled look the same; on an axis of three they do not.
2. Then the lower number in `RANKS` wins, since it says more. Reversed rows are permuted rows too, but the student reads
   "reversed". An array that is right in its first row and shifted is "shifted".
3. If two of one rank fit equally well, neither is shown, as where nothing fits. A wrong reason is worse than none.

A diagnosis that fits no more than a third of the wrong cases is an accident of those cases, and is not shown. A case
with fewer than four different numbers is not enough evidence: what fits it must also fit a richer case, or three cases.
A constant array fits everything, and is only diagnosed as constant.

More looks are in `graders/reasons/numeric.py`: relations between the numbers, invariants, precision, random draws.

    attack: learn a hidden input from the sentence: from a factor, a shape, a count.
    defence: for a hidden case only `hidden` is shown. It consists of the exercise's own words and the names of
             dimensions and arguments; no number in it comes from a case. The choice of sentence tells a few bits.

MAX_NUMBERS and MAX_CASES bound all of this: larger arrays and further cases are not examined.
"""

import ast
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from graders.boxes.reply import CallOutcome, Odd, Raised, Ran, Returned, Step, ended_by
from graders.exercise.cases import Case
from graders.exercise.definition import Exercise, KnownMistake
from graders.exercise.signature import Array, Record
from graders.reasons.across import RANKS as RANKS_ACROSS
from graders.reasons.across import across
from graders.reasons.answers import compared_values
from graders.reasons.compare import axes_of, compare, leaves
from graders.reasons.error_site import tree_of
from graders.reasons.numeric import EVERYWHERE as NUMERIC_EVERYWHERE
from graders.reasons.numeric import LOOKS as NUMERIC_LOOKS
from graders.reasons.numeric import NAN_ROWS, over_all_numbers
from graders.reasons.numeric import RANKS as NUMERIC_RANKS
from graders.reasons.pairs import FEW, MAX_NUMBERS, Diagnosis
from graders.reasons.pairs import Pair as _Pair
from graders.reasons.repairs.edit import divides

MAX_CASES = 5  # wrong cases that are examined, samples first
MAX_ORDERS = 4  # dimensions of which every order is tried: 23 of them

# Which is shown where several fit: the lowest. Tests and the publish gate use these names.
RANKS: dict[str, float] = {
    "input_returned": 0,
    "not_an_array": 1, "other_keys": 1, "dtype": 1, "half_precision": 1, "truncated": 1,
    "dimension_added": 2, "dimension_lost": 2, "reshaped": 2, "transposed": 2,
    "flattened": 3, "sin_cos_swapped": 3,
    "reversed": 4, "rolled": 4, "interleaved": 4, "pairs_swapped": 4, "halves_swapped": 4,
    "wrong_axis": 5, "sorted": 5,
    "permuted": 6,
    "hard_coded": 7, "input_ignored": 7,
    "one_alone": 8, "repeated": 8, "broadcast": 8, "too_many": 8, "too_few": 8, "shifted": 8,
    "sign": 9, "reciprocal": 9, "logarithm": 9, "exponential": 9, "square": 9, "root": 9, "absolute": 9,
    "factor": 10, "offset": 10,
    "factor_of_dimension": 11,
    "masked_nan": 12, "unmasked": 12, "every_other": 12,
    "first_right": 13, "last_right": 13,
    "constant": 14, "same_along": 14,
    "argument_changed": 15,
    **NUMERIC_RANKS,
    **RANKS_ACROSS,
}  # fmt: skip

# What further calls of the function show (experiments.py), among these.
FINDINGS = {"changes_between_calls": 0, "arguments_exchanged": 1, "argument_ignored": 7, "carried_over": 11.25}

# Shown only if they fit all cases: with inputs such as 0.1, 1.1, 2.1 a wrong index looks like an offset.
_ENDS = ("first_right", "last_right")
_SIZE_ONE = ("dimension_added", "dimension_lost")
EVERYWHERE = NUMERIC_EVERYWHERE | {
    "sign", "reciprocal", "logarithm", "exponential", "square", "root", "absolute", "factor", "offset",
    "factor_of_dimension",
}  # fmt: skip

# From here on they say what is wrong and not why: where the source shows the reason, it goes before them.
FIRST_VAGUE = RANKS["scaled"]


def is_vague(diagnosis: Diagnosis) -> bool:
    return RANKS.get(diagnosis.name, FINDINGS.get(diagnosis.name, 0)) >= FIRST_VAGUE


def known_mistake(
    exercise: Exercise,
    cases: Sequence[Case],
    outcomes: Mapping[int, CallOutcome],
    wrong: Sequence[int],
    mistakes: Mapping[str, tuple[CallOutcome, ...]],
    framework: str,
) -> KnownMistake | None:
    """The known mistake with the student's outcome on every case judged; None if there is none, or more than one.

    `outcomes` and `wrong` use indices into `cases`. If several fit, those in the student's framework go first.
    """
    if not wrong:
        return None
    fitting = [
        mistake
        for mistake in exercise.mistakes
        if mistake.name in mistakes
        and all(_same(exercise, cases[n], outcomes[n], mistakes[mistake.name][n]) for n in outcomes)
    ]
    own = [mistake for mistake in fitting if mistake.source.framework == framework]
    fitting = own or fitting
    return fitting[0] if len(fitting) == 1 else None


def diagnose(
    exercise: Exercise,
    cases: Sequence[Case],
    outcomes: Mapping[int, CallOutcome],
    wrong: Sequence[int],
    source: str = "",
) -> dict[int, Diagnosis]:
    """The diagnoses of wrong cases, by index into `cases`. Not every case has one. `source`: "" where unknown."""
    tree = tree_of(source)
    is_divided = tree is not None and divides(ast.walk(tree))
    with np.errstate(all="ignore"):  # a student's numbers may be anything
        return _diagnoses(exercise, cases, outcomes, wrong, is_divided)


def _diagnoses(
    exercise: Exercise,
    cases: Sequence[Case],
    outcomes: Mapping[int, CallOutcome],
    wrong: Sequence[int],
    is_divided: bool,
) -> dict[int, Diagnosis]:
    # of a function, what its calls show; a script beside them asks for something else, and its author says for what
    outcomes = {n: outcome for n, outcome in outcomes.items() if exercise.is_scripted or cases[n].script is None}
    every_wrong = [n for n in wrong if n in outcomes]
    wrong = every_wrong[:MAX_CASES]
    pairs = {n: pair for n in wrong if n in outcomes and (pair := _pair_of(exercise, cases[n], outcomes[n]))}
    fits: dict[int, dict[tuple[str, str], Diagnosis]] = {
        n: {} for n in wrong if isinstance(outcomes.get(n), Returned | Ran)
    }
    for n in fits:
        diagnoses = _fits(pairs[n]) if n in pairs else _of_odd_kind(exercise, cases[n], outcomes[n])
        for diagnosis in diagnoses:
            fits[n].setdefault(diagnosis.key, diagnosis)
    for diagnosis in _over_cases(exercise, cases, outcomes):
        for fitting in fits.values():
            fitting[diagnosis.key] = diagnosis
    for n, diagnosis in over_all_numbers(exercise, cases, outcomes, pairs, is_divided):
        fits[n].setdefault(diagnosis.key, diagnosis)
    proven: set[tuple[str, str]] = set()
    for found in across(exercise, cases, outcomes, every_wrong) if fits else ():
        proven.add((found.name, found.detail))
        for n in fits.keys() & found.sentences.keys():
            says = found.sentences[n]
            fits[n].setdefault((found.name, found.detail), Diagnosis(found.name, found.detail, says.text, says.hidden))
    for n in fits:
        for diagnosis in _changed(exercise, outcomes[n]):
            fits[n][diagnosis.key] = diagnosis

    rich = proven | {key for n in fits if n not in pairs or pairs[n].rich for key in fits[n]}
    counts = {key: sum(key in fitting for fitting in fits.values()) for fitting in fits.values() for key in fitting}
    believed = {key for key in counts if counts[key] * 3 > len(wrong) and (key in rich or counts[key] >= 3)}
    plain = [n for n in fits if n in pairs and pairs[n].rich and pairs[n].finite]
    believed -= {key for key in believed if key[0] in EVERYWHERE and not all(key in fits[n] for n in plain)}
    shifts = {key for key in believed if key[0] == "shifted"}
    believed -= {key for key in shifts if not all(key in fits[n] for n in _shiftable(key, pairs))}
    limited = {key for key in believed if key[0] in _ENDS or key[0] in NAN_ROWS}
    believed -= {key for key in limited if not _shown_by_all(key, fits, pairs)}
    believed -= {key for key in believed if _denied(key, exercise, cases, outcomes)}
    # a dimension of size 1 that only some cases have: in the others something else is wrong
    believed -= {key for key in believed if key[0] in _SIZE_ONE and counts[key] < len(fits)}
    believed -= {
        key for key in believed if key == ("flattened", "") and not _is_flat_in_all(key, cases, wrong, fits, pairs)
    }
    common = {key for key in believed if counts[key] == len(fits)}
    chosen = common or believed
    best = {n: _best([diagnosis for key, diagnosis in fitting.items() if key in chosen]) for n, fitting in fits.items()}
    return {n: diagnosis for n, diagnosis in best.items() if diagnosis}


def _is_flat_in_all(
    key: tuple[str, str],
    cases: Sequence[Case],
    wrong: Sequence[int],
    fits: Mapping[int, Mapping[tuple[str, str], Diagnosis]],
    pairs: Mapping[int, _Pair],
) -> bool:
    """Whether every wrong sample has the right values run together, and one case has more than a single value."""
    everywhere = all(key in fits.get(n, {}) for n in wrong if cases[n].sample)
    return everywhere and any(key in fits[n] and pair.e.size > 1 for n, pair in pairs.items() if n in fits)


def more_telling(diagnosis: Diagnosis | None, finding: Diagnosis | None) -> Diagnosis | None:
    """Of what a case's numbers show and what further calls have shown, the one to be told."""
    if diagnosis is None or finding is None:
        return diagnosis or finding
    return finding if FINDINGS[finding.name] <= RANKS[diagnosis.name] else diagnosis


def _best(fitting: Sequence[Diagnosis]) -> Diagnosis | None:
    """The diagnosis of the lowest rank; None where two share it."""
    lowest = min((RANKS[diagnosis.name] for diagnosis in fitting), default=None)
    first = [diagnosis for diagnosis in fitting if RANKS[diagnosis.name] == lowest]
    return first[0] if len(first) == 1 else None


# ------------------------------------------------------------------ the arrays of one case


def _pair_of(exercise: Exercise, case: Case, outcome: CallOutcome) -> _Pair | None:
    """The first array of the case that differs, if it can be examined, else None."""
    values = compared_values(exercise, case, outcome)
    if values is None:
        return None
    for declared, expected, actual, where in leaves(*values):
        if compare(expected, actual, declared, case.dims, case.tolerance(exercise)) is None:
            continue
        if not isinstance(declared, Array) or not isinstance(actual, np.ndarray):
            return None
        numbers = all(array.dtype.kind in "biufc" or array.dtype.name == "bfloat16" for array in (expected, actual))
        if not numbers or not 0 < expected.size <= MAX_NUMBERS or not 0 < actual.size <= MAX_NUMBERS:
            return None
        named = Array(declared.dtype, axes_of(declared, expected))
        return _Pair(exercise, case, named, expected, actual, where)
    return None


def _fits(pair: _Pair) -> Iterator[Diagnosis]:
    if pair.constant and pair.a.size > 1:
        yield from _constant(pair)
        return
    for look in _LOOKS:
        yield from look(pair)


# ------------------------------------------------------------------ the same numbers


def _input_returned(pair: _Pair) -> Iterator[Diagnosis]:
    for name, value in pair.case.inputs.items():
        if not isinstance(value, np.ndarray) or value.shape != pair.actual.shape or value.dtype.kind not in "biufc":
            continue
        if value.size > 1 and np.array_equal(value, pair.actual):
            yield pair.says("input_returned", name, f"Your output is `{name}` itself, unchanged.")


def _dtypes(pair: _Pair) -> Iterator[Diagnosis]:
    expected, actual = pair.expected.dtype, pair.actual.dtype
    if pair.av is None:
        return
    if expected.name != actual.name and pair.equal(pair.e, pair.a):
        if actual.name in ("float16", "bfloat16"):
            digits = "about three digits" if actual.name == "float16" else "two to three digits"
            text = f"Your values are {actual.name}, which keeps {digits}: return {expected.name}."
            yield pair.says(
                "dtype", "", text, f"Your values have fewer digits than {expected.name} keeps: return {expected.name}."
            )
            return
        is_of_kind = actual.kind == expected.kind == "f" and actual.itemsize != expected.itemsize
        width = "wider" if actual.itemsize > expected.itemsize else "narrower"
        why = f"a step on the way uses a {width} dtype" if is_of_kind else "cast what you return"
        yield pair.says(
            "dtype", "",
            f"The values are right, but their dtype is {actual.name} instead of {expected.name}: {why}.",
            f"The values are right, but their dtype is not {expected.name}: {why}.",
        )  # fmt: skip
        return
    if pair.exact or not pair.finite or pair.equal(pair.e, pair.a):
        return
    with np.errstate(all="ignore"):
        half = pair.e.astype(np.float16).astype(np.float64) if pair.e.dtype.kind == "f" else pair.e
        if expected.itemsize > 2 and pair.e.dtype.kind == "f" and np.array_equal(half, pair.a):
            yield pair.says(
                "half_precision", "",
                "Your values went through half precision (float16), which keeps about three digits: compute in "
                f"{expected.name} throughout.",
            )  # fmt: skip
    if pair.e.dtype.kind != "f" or pair.a.dtype.kind != "f" or np.array_equal(pair.e, np.trunc(pair.e)):
        return
    for how, words in ((np.trunc, "cut to whole numbers"), (np.floor, "rounded down to whole numbers"),
                       (np.rint, "rounded to whole numbers")):  # fmt: skip
        several = len(np.unique(pair.a.ravel()[:256])) > 2  # zeros and ones may be on purpose
        if several and np.array_equal(how(pair.e), pair.a):
            yield pair.says(
                "truncated", "",
                f"Your values are the expected ones {words}: an integer dtype or `//` is used where floats belong.",
            )  # fmt: skip
            return


def _shapes(pair: _Pair) -> Iterator[Diagnosis]:
    """The right numbers in the right order, in another shape."""
    actual, expected = pair.a.shape, pair.e.shape
    if actual == expected or pair.a.size != pair.e.size or not pair.equal(pair.e.ravel(), pair.a.ravel()):
        return
    names = pair.whole()
    if pair.split and actual == pair.shape:
        text = f"The values are right, in the shape ({', '.join(pair.names)}): flatten them to {names}."
        yield pair.says("reshaped", "", text)
        return
    if len(actual) < len(expected):
        text = "The values are right, but run together"
        yield pair.says(
            "flattened", "",
            f"{text}, {pair.yours()}: return them in the shape {names}.",
            f"{text}: return them in the shape {names}.",
        )  # fmt: skip
    if [size for size in actual if size != 1] == [size for size in expected if size != 1] and len(actual) != len(
        expected
    ):
        if len(actual) > len(expected):
            noun = "one dimension" if len(actual) == len(expected) + 1 else "dimensions"
            text = f"The values are right, with {noun} of size 1 too many"
            yield pair.says(
                "dimension_added", "",
                f"{text}: yours is {pair.yours()}, not {names}.",
                f"{text}: return {names}.",
            )  # fmt: skip
        else:
            name = _lost_dimension(pair)
            which = f" {name}" if name else ""
            text = f"The values are right, but the dimension{which} of size 1 is lost"
            yield pair.says(
                "dimension_lost", "",
                f"{text}: keep it, so that yours is {names} and not {pair.yours()}.",
                f"The values are right, but a dimension is lost: the shape is {names}.",
            )  # fmt: skip
    elif len(actual) >= len(expected):
        text = "The values are right and in the right order, but in another shape"
        yield pair.says("reshaped", "", f"{text}, {pair.yours()}: it is {names}.", f"{text}: it is {names}.")


def _lost_dimension(pair: _Pair) -> str:
    """The name of the only dimension of size 1, or "" where there are more or it has no name."""
    ones = [name for name, size in zip(pair.declared.dims, pair.e.shape, strict=True) if size == 1]
    return ones[0] if len(ones) == 1 and not ones[0].isdigit() else ""


def _orders(pair: _Pair) -> Iterator[Diagnosis]:
    """The same numbers with the axes in another order."""
    if not 2 <= len(pair.shape) <= MAX_ORDERS or not pair.same_numbers:
        return
    flat, straight, right = pair.a.ravel(), pair.ev.ravel(), ", ".join(pair.names)
    for axes in itertools.permutations(range(len(pair.shape))):
        if list(axes) == sorted(axes):
            continue
        other = pair.ev.transpose(axes)
        numbers = other.ravel()
        if not pair.equal(numbers, flat):
            continue
        order = ", ".join(pair.names[axis] for axis in axes)
        alike = np.array_equal(numbers, straight)  # axes of size 1 moved, or the numbers are symmetric
        if pair.a.shape == other.shape and not pair.split:
            if not alike or other.shape != pair.e.shape:
                yours = f", {pair.yours()}" if len(set(other.shape)) > 1 else ""
                if order == right:  # two axes of one name: the order of the names says nothing
                    yield pair.says("transposed", order, _exchanged(axes))
                    continue
                yield pair.says(
                    "transposed", order,
                    f"Your dimensions are in the order ({order}){yours}; they should be {pair.whole()}.",
                    f"Your dimensions are in the order ({order}); they should be {pair.whole()}.",
                )  # fmt: skip
        elif alike:
            continue
        elif pair.split and pair.a.shape == pair.e.shape:
            text = f"All values are there, flattened in the order ({order}); flatten ({right}) without a transpose."
            yield pair.says("transposed", order, text)
        elif pair.a.shape == pair.e.shape:
            text = f"The values are all there, laid out as ({order}): a reshape does not swap axes, a transpose does."
            yield pair.says("transposed", f"reshaped {order}", text)
        elif pair.a.ndim == 1:
            text = f"The values are all there, flattened in the order ({order}); the shape is {pair.whole()}."
            yield pair.says("flattened", order, text)


def _exchanged(axes: tuple[int, ...]) -> str:
    if len(axes) == 2:
        return "Your result is transposed: its rows are the columns that are asked for."
    moved = " and ".join(str(place) for place, axis in enumerate(axes) if place != axis)
    return f"The axes {moved} of your result are exchanged: all else is right."


def _along(pair: _Pair) -> Iterator[Diagnosis]:
    """The same numbers, moved along one axis."""
    if pair.av is None or not pair.same_numbers:
        return
    e, a = pair.ev, pair.av
    for axis, (name, size) in enumerate(zip(pair.names, pair.shape, strict=True)):
        if size < 2:
            continue
        if _moved(pair, np.flip(e, axis)):
            yield pair.says("reversed", name, f"Your values run backwards along {name}.")
        for step, way in ((1, "later"), (-1, "earlier")):
            if _moved(pair, np.roll(e, step, axis)):
                yield pair.says(
                    "rolled", f"{name} {way}",
                    f"Along {name} every value is one place {way} than it should be, and the "
                    f"{'last' if step == 1 else 'first'} wraps around.",
                )  # fmt: skip
        if size % 2 == 0:
            yield from _halves(pair, axis, name, size)
        if e.ndim <= 3 and (order := _permutation(e, a, axis)) is not None and _moved(pair, np.take(e, order, axis)):
            each = "entries" if e.ndim == 1 else "slices"
            yield pair.says("permuted", name, f"The {each} along {name} are right, but in the wrong order.")
        if size > 2 and _moved(pair, np.sort(e, axis)):
            yield pair.says("sorted", name, f"Your values are the expected ones sorted along {name}.")


def _moved(pair: _Pair, other: Any) -> bool:
    return pair.equal(other, pair.av) and not pair.equal(pair.ev, other)


def _halves(pair: _Pair, axis: int, name: str, size: int) -> Iterator[Diagnosis]:
    """Features in pairs (sin, cos, sin, cos) or halves (sin, sin, cos, cos), confused or with the two swapped."""
    e = np.moveaxis(pair.ev, axis, 0)
    half = size // 2
    index = np.arange(size)

    def is_(order: Any) -> bool:
        return _moved(pair, np.moveaxis(e[order], 0, axis))

    with np.errstate(all="ignore"):
        waves = bool(np.abs(e).max() <= 1 + 1e-6) if pair.finite and e.dtype.kind == "f" else False
        paired = waves and np.allclose(e[0::2] ** 2 + e[1::2] ** 2, 1, atol=1e-4)
        halved = waves and np.allclose(e[:half] ** 2 + e[half:] ** 2, 1, atol=1e-4)
    if is_(index ^ 1):
        if paired:
            yield pair.says(
                "sin_cos_swapped", name,
                f"sin and cos are swapped: along {name}, they alternate the other way round.",
            )  # fmt: skip
        else:
            yield pair.says(
                "pairs_swapped", name,
                f"Along {name}, neighbours are swapped in pairs: even places hold the values of the odd ones.",
            )  # fmt: skip
    if size > 2 and is_(np.roll(index, half)):
        if halved:
            yield pair.says(
                "sin_cos_swapped", name,
                f"sin and cos are swapped: along {name}, the two halves are the wrong way round.",
            )  # fmt: skip
        else:
            yield pair.says("halves_swapped", name, f"Along {name}, the first and second halves are swapped.")
    if size > 2:
        apart = np.concatenate([index[0::2], index[1::2]])
        together = np.argsort(apart)
        if is_(apart) and size == 4:  # both orders are the same
            yield pair.says(
                "interleaved", name,
                f"Along {name}, your values are in two halves where they should alternate, or the other way round.",
            )  # fmt: skip
        elif is_(apart):
            yield pair.says(
                "interleaved", name,
                f"Along {name}, your values are in two halves; they should alternate: interleave them.",
            )  # fmt: skip
        elif is_(together):
            yield pair.says(
                "interleaved", name,
                f"Along {name}, your values alternate; they should be in two halves: concatenate them.",
            )  # fmt: skip


def _permutation(e: Any, a: Any, axis: int) -> Any | None:
    """The order in which `a` would have the slices of `e`; None where slices are alike, or fewer than three."""
    rows, yours = (np.moveaxis(array, axis, 0).reshape(array.shape[axis], -1) for array in (e, a))
    if rows.shape[0] < 3 or rows.dtype.kind == "c":
        return None
    order, other = np.lexsort(rows.T[::-1][:8]), np.lexsort(yours.T[::-1][:8])
    if rows.shape[1] and bool((rows[order][1:] == rows[order][:-1]).all(axis=1).any()):
        return None  # two slices are alike: any order of them fits
    permutation = np.empty_like(order)
    permutation[other] = order
    return permutation


# ------------------------------------------------------------------ a part, or too much


def _windows(pair: _Pair) -> Iterator[Diagnosis]:
    """A window that is one place off: each slice is its neighbour's, and the one at the end is something else."""
    if pair.av is None or pair.same_numbers:
        return
    for axis, (name, size) in enumerate(zip(pair.names, pair.shape, strict=True)):
        if size < 3:
            continue
        e, a = np.moveaxis(pair.ev, axis, 0), np.moveaxis(pair.av, axis, 0)
        if bool((e[1:] == e[:-1]).all()):
            continue
        if pair.equal(e[1:], a[:-1]):
            yield pair.says(
                "shifted", f"{name} early",
                f"Along {name} you are one place ahead: each place holds the value of the next one.",
            )  # fmt: skip
        if pair.equal(e[:-1], a[1:]):
            yield pair.says(
                "shifted", f"{name} late",
                f"Along {name} you are one place behind: each place holds the value of the one before it.",
            )  # fmt: skip


def _shiftable(key: tuple[str, str], pairs: Mapping[int, _Pair]) -> Iterator[int]:
    """The cases in which that shift would be visible. Ids that are one too high shift only what counts up."""
    name = key[1].rpartition(" ")[0]
    for n, pair in pairs.items():
        if pair.av is not None and pair.rich and not pair.constant and dict(pair.factors).get(name, 0) > 2:
            yield n


def _shown_by_all(
    key: tuple[str, str], fits: Mapping[int, Mapping[tuple[str, str], Diagnosis]], pairs: Mapping[int, _Pair]
) -> bool:
    """Whether every case that could contradict it shows it. Which end is right needs two: one says where, not why."""
    ends = key[0] in _ENDS
    visible = [n for n, pair in pairs.items() if (_has_ends(pair, key[1]) if ends else _has_nan(pair))]
    return len(visible) > int(ends) and all(key in fits[n] for n in visible)


def _has_ends(pair: _Pair, name: str) -> bool:
    return pair.rich and pair.av is not None and dict(pair.factors).get(name, 0) > 1


def _has_nan(pair: _Pair) -> bool:
    return bool(np.isnan(pair.a).any())


def _sizes(pair: _Pair) -> Iterator[Diagnosis]:
    """The right numbers and more, or only some of them: rows too many or too few, one slice alone, copies."""
    e, a, names = pair.e, pair.a, pair.declared.dims
    if e.shape == a.shape:
        return
    whole = pair.whole()
    if e.ndim == a.ndim:
        differing = [axis for axis in range(e.ndim) if e.shape[axis] != a.shape[axis]]
        if len(differing) == 1:
            yield from _longer(pair, differing[0])
    if a.ndim == e.ndim - 1 and e.ndim:
        for axis in range(e.ndim):
            if a.shape != e.shape[:axis] + e.shape[axis + 1 :] or names[axis].isdigit():
                continue
            right = [which for which, n in (("first", 0), ("last", -1)) if pair.equal(np.take(e, n, axis), a)]
            for which in right if len(right) == 1 or e.shape[axis] == 1 else ():
                text = f"This is only the {which} of {names[axis]}: keep the dimension {names[axis]}"
                yield pair.says(
                    "one_alone", f"{names[axis]} {which}",
                    f"{text}; yours is {pair.yours()}, not {whole}.",
                    f"{text}.",
                )  # fmt: skip
    if a.ndim > e.ndim or (a.ndim == e.ndim and a.size > e.size):
        try:
            copies = np.broadcast_to(e, a.shape)
        except ValueError:
            copies = None
        if copies is not None and a.size > e.size and pair.equal(copies, a):
            text = f"Your output is the expected one several times over: the shape is {whole}"
            yield pair.says("repeated", "", f"{text}, yours is {pair.yours()}.", f"{text}.")
    if e.ndim == 1 and a.ndim == 2 and a.shape == (e.size, e.size) and e.size > 2 and pair.equal(e, np.diagonal(a)):
        text = f"Your values are right on the diagonal: a column and a row, both along {names[0]}, were broadcast"
        yield pair.says("broadcast", "", f"{text} to {pair.yours()}.", f"{text}.")


def _longer(pair: _Pair, axis: int) -> Iterator[Diagnosis]:
    e, a = np.moveaxis(pair.e, axis, 0), np.moveaxis(pair.a, axis, 0)
    name, expected, actual = pair.declared.dims[axis], e.shape[0], a.shape[0]
    rows = f"{name} = {expected}"
    if "*" in name and pair.split:
        unit = pair.shape[axis + 1] if len(pair.shape) == 2 else 0
        if unit and actual % unit == 0:
            name, expected, actual = pair.names[0], expected // unit, actual // unit
            rows = f"{name} = {expected}"
    name = f"axis {axis}" if name.isdigit() else name
    off = abs(actual - expected)
    places = "one place" if off == 1 else f"{off} places"
    if len(e) < len(a):
        first, last = pair.equal(e, a[: len(e)]), pair.equal(e, a[-len(e) :])
        if first != last:
            which, end = ("first", "end") if first else ("last", "beginning")
            yield pair.says(
                "too_many", f"{name} {end}",
                f"Your output is right, but {places} too long along {name}: keep the {which} {rows}.",
                f"Your output is right, but too long along {name}: leave out what is at the {end}.",
            )  # fmt: skip
    elif len(a) and (len(a) > 1 or not pair.rich or a.size > 1):
        first, last = pair.equal(e[: len(a)], a), pair.equal(e[-len(a) :], a)
        if first != last:
            end = "end" if first else "beginning"
            yield pair.says(
                "too_few", f"{name} {end}",
                f"Your output is right as far as it goes: along {name}, {places} at the {end} "
                f"{'is' if off == 1 else 'are'} missing.",
                f"Your output is right as far as it goes: along {name}, something is missing at the {end}.",
            )  # fmt: skip


def _copies(pair: _Pair) -> Iterator[Diagnosis]:
    """The same slice where there should be different ones."""
    if pair.av is None:
        return
    for axis, (name, size) in enumerate(zip(pair.names, pair.shape, strict=True)):
        e, a = np.moveaxis(pair.ev, axis, 0), np.moveaxis(pair.av, axis, 0)
        if size < 2 or not np.array_equal(a[1:], a[:-1]) or pair.equal(e[1:], e[:-1]):
            continue
        own = [n for n in range(min(size, 16)) if pair.equal(e[n], a[0])]
        if own and a[0].size > 1:
            which = "the first" if own[0] == 0 else "the last" if own[-1] == size - 1 else "one"
            text = f"Every place along {name} holds the same: the values of {which} were copied to all."
            yield pair.says("broadcast", name, text)
        elif e.ndim > 1:
            yield pair.says("same_along", name, f"Your output is the same all along {name}, but it should differ.")


def _partly(pair: _Pair) -> Iterator[Diagnosis]:
    """Right in some places: at the beginning or the end of an axis, in every other place, or where it is not NaN."""
    if pair.av is None or pair.e.dtype.kind == "c" or pair.a.dtype.kind == "c":
        return
    rtol, atol = pair.tolerances
    with np.errstate(all="ignore"):
        right = np.abs(pair.ev - pair.av) <= atol + rtol * np.abs(pair.ev)
    right |= pair.ev == pair.av
    count = int(right.sum())
    if not count or count == right.size:
        return
    missing = np.isnan(pair.av) & ~np.isnan(pair.ev)
    if missing.any() and bool((right | missing).all()):
        if count >= FEW:
            yield pair.says(
                "masked_nan", "",
                "Your values are right, but NaN in some places: look for 0 / 0, for infinity minus infinity, and "
                "for an `exp` that overflows.",
            )  # fmt: skip
        return
    masked = ~np.isfinite(pair.ev) | (pair.ev == 0)
    if 1 < int(masked.sum()) < masked.size - 2 and np.array_equal(masked, ~right):
        filler = "zero" if np.isfinite(pair.ev).all() else "infinity"
        yield pair.says("unmasked", "", f"Your values are right except where {filler} is expected: a mask is missing.")
    for axis, (name, size) in enumerate(zip(pair.names, pair.shape, strict=True)):
        if size < 2:
            continue
        rows = np.moveaxis(right, axis, 0).reshape(size, -1)
        good, none = rows.all(axis=1), rows.mean(axis=1) < 0.5
        if not good.any() or not (good | none).all():
            continue
        n = int(good.sum())
        turns = np.arange(size) % 2 == 0
        if size > 3 and (np.array_equal(good, turns) or np.array_equal(good, ~turns)):
            which = "even" if good[0] else "odd"
            yield pair.says("every_other", name, f"Along {name}, the {which} places are right and the others are not.")
        elif good[:n].all() or good[size - n :].all():
            end = "first" if good[0] else "last"
            places = f"{end} of {size}" if n == 1 else f"{end} {n} of {size}"
            are = "is" if n == 1 else "are"
            yield pair.says(
                f"{end}_right", name,
                f"Along {name}, only the {places} {are} right.",
                f"Along {name}, only the {end} {'is' if n == 1 else 'ones are'} right.",
            )  # fmt: skip


# ------------------------------------------------------------------ another number


def _functions(pair: _Pair) -> Iterator[Diagnosis]:
    """One function of all expected numbers: a sign, a factor, an offset, an extra logarithm."""
    if pair.av is None or pair.exact or not pair.finite or pair.e.dtype.kind != "f" or pair.a.dtype.kind != "f":
        return
    if pair.expected.dtype.name != pair.actual.dtype.name or not pair.rich:
        return
    e, a = pair.e, pair.a
    if pair.equal(-e, a):
        yield pair.says(
            "sign", "", "Every value has the wrong sign: a minus sign is missing, or there is one too many."
        )
        return
    with np.errstate(all="ignore"):
        candidates = (
            ("absolute", np.abs(e), "Your values are the expected ones without their signs."),
            ("exponential", np.exp(e), "Your values are `exp` of the expected ones: a logarithm is missing."),
            ("square", e * e, "Your values are the squares of the expected ones: a square root is missing."),
            ("root", np.sqrt(e), "Your values are the square roots of the expected ones."),
            ("reciprocal", 1 / e, "Your values are one over the expected ones: a fraction is upside down."),
        )  # fmt: skip
        for name, numbers, text in candidates:
            if pair.equal(numbers, a) and np.isfinite(numbers).all():
                yield pair.says(name, "", text)
        # compared the other way round: a log-softmax, say, is finite where the expected number is zero
        if pair.equal(e, np.exp(a)) and float(np.abs(e).max()) > 1e3 * pair.tolerances[1]:
            text = "Your values are the logarithms of the expected ones: an `exp` is missing, or a `log` is extra."
            yield pair.says("logarithm", "", text)
        norm = float((e * e).sum())
        factor = float((e * a).sum()) / norm if norm > 0 else 0.0
        largest = float(np.abs(a).max())
        scaled = np.isfinite(factor) and abs(factor) > 1e-6 and abs(factor - 1) > 1e-4
        if scaled and np.allclose(a, factor * e, rtol=1e-5, atol=1e-5 * largest):
            yield from _factor(pair, factor)
        offset = float((a - e).mean())
        spread = max(largest, float(np.abs(e).max()))
        if abs(offset) > 1e-4 * spread and np.allclose(a - e, offset, rtol=1e-4, atol=1e-5 * abs(offset)):
            text = "Every value is the expected one plus"
            yield pair.says(
                "offset", f"{offset:.4g}",
                f"{text} {offset:.6g}: look for an extra or a missing term.",
                f"{text} the same number: look for an extra or a missing term.",
            )  # fmt: skip


def _factor(pair: _Pair, factor: float) -> Iterator[Diagnosis]:
    text, why = "Every value is the expected one times", "look for an extra or a missing factor"
    yield pair.says(
        "factor", f"{factor:.4g}",
        f"{text} {factor:.6g}: {why}.",
        f"{text} the same number: {why}.",
    )  # fmt: skip
    for name, size in pair.case.dims.items():
        for formula, number in ((name, size), (f"sqrt({name})", size**0.5), (f"1/{name}", 1 / max(size, 1)),
                                (f"1/sqrt({name})", max(size, 1) ** -0.5)):  # fmt: skip
            if size > 1 and abs(factor / number - 1) < 1e-5:
                yield pair.says("factor_of_dimension", formula, f"{text} {formula}: {why}.")


def _one(axis: Any) -> Any:
    return None if isinstance(axis, tuple) else axis


_REDUCTIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "sum": lambda x, axis: x.sum(axis), "mean": lambda x, axis: x.mean(axis), "largest": lambda x, axis: x.max(axis),
    "smallest": lambda x, axis: x.min(axis), "product": lambda x, axis: x.prod(axis),
    "argmax": lambda x, axis: x.argmax(_one(axis)), "argmin": lambda x, axis: x.argmin(_one(axis)),
    "variance": lambda x, axis: x.var(axis), "standard deviation": lambda x, axis: x.std(axis),
    "norm": lambda x, axis: np.sqrt((x * x).sum(axis)),
}  # fmt: skip


def _exp(x: Any, axis: Any) -> Any:
    return np.exp(x - x.max(axis, keepdims=True))


_NORMALISED: Mapping[str, Callable[[Any, Any], Any]] = {
    "softmax": lambda x, axis: _exp(x, axis) / _exp(x, axis).sum(axis, keepdims=True),
    "cumulative sum": lambda x, axis: x.cumsum(axis),
    "division by the sum": lambda x, axis: x / x.sum(axis, keepdims=True),
    "division by the norm": lambda x, axis: x / np.sqrt((x * x).sum(axis, keepdims=True)),
    "difference from the mean": lambda x, axis: x - x.mean(axis, keepdims=True),
    "difference from the largest": lambda x, axis: x - x.max(axis, keepdims=True),
    "sorting": lambda x, axis: np.sort(x, axis),
}  # fmt: skip


def _axes(pair: _Pair) -> Iterator[Diagnosis]:
    """A reduction or normalisation of an input along another axis than the expected one."""
    if "operations" not in pair.case.notes:
        pair.case.notes["operations"] = list(_operations(pair))
    for x, names, operation, axis, function in pair.case.notes["operations"]:
        with np.errstate(all="ignore"):
            for other in range(x.ndim):
                result = function(x, other)
                turned = result.T if result.T.shape == pair.a.shape else result  # mapped over the other axis
                if other != axis and (_is(pair, result) or _is(pair, turned)):
                    yield _other_axis(pair, operation, names[axis], names[other])
            if operation not in ("cumulative sum", "sorting") and _is(pair, function(x, tuple(range(x.ndim)))):
                yield _other_axis(pair, operation, names[axis], "all axes")
    yield from _shape_of_another(pair)


def _is(pair: _Pair, other: Any) -> bool:
    numbers = np.ravel(other).astype(np.float64)
    return numbers.size == pair.a.size and pair.equal(numbers, pair.a.ravel())


def _operations(pair: _Pair) -> Iterator[tuple[Any, list[str], str, int, Callable[[Any, Any], Any]]]:
    """Which operation of which input, along which axis, gives the expected array. Depends only on the case."""
    for parameter in pair.exercise.signature.parameters:
        value = pair.case.inputs.get(parameter.name)
        if (
            not isinstance(value, np.ndarray)
            or not isinstance(parameter.parsed, Array)
            or not 2 <= value.ndim <= 4
            or value.size > MAX_NUMBERS // 8
        ):
            continue
        if value.dtype.kind not in "iuf" or min(value.shape) < 1:
            continue
        x = value.astype(np.float64)
        names = [f"axis {n}" if dim.isdigit() else dim for n, dim in enumerate(axes_of(parameter.parsed, value))]
        functions = _REDUCTIONS if pair.e.size < x.size else _NORMALISED if pair.e.shape == x.shape else {}
        with np.errstate(all="ignore"):
            for operation, function in functions.items():
                for axis in range(x.ndim):
                    result = function(x, axis)
                    fits = x.shape[axis] > 1 and result.size == pair.e.size
                    if fits and _within(pair, result.ravel().astype(np.float64), pair.e.ravel()):
                        yield x, names, operation, axis, function


def _within(pair: _Pair, numbers: Any, expected: Any) -> bool:
    """Whether the two agree within the exercise's tolerance, without regard to the student's numbers."""
    rtol, atol = pair.exercise.tolerance.rtol, pair.exercise.tolerance.atol
    return bool(np.allclose(numbers, expected, rtol=max(rtol, 1e-5), atol=atol))


def _other_axis(pair: _Pair, operation: str, right: str, yours: str) -> Diagnosis:
    along = "over all axes at once" if yours == "all axes" else f"along {yours}"
    return pair.says("wrong_axis", f"{yours} for {right}", f"You took the {operation} {along}; take it along {right}.")


def _shape_of_another(pair: _Pair) -> Iterator[Diagnosis]:
    """A size C where N belongs: the wrong one of two axes was reduced."""
    e, a = pair.e.shape, pair.a.shape
    if len(e) != len(a) or pair.split:
        return
    differing = [axis for axis in range(len(e)) if e[axis] != a[axis]]
    if len(differing) != 1 or a[differing[0]] < 2:
        return
    expected = pair.declared.dims[differing[0]]
    beside = {
        dim
        for parameter in pair.exercise.signature.parameters
        if isinstance(parameter.parsed, Array) and expected in parameter.parsed.dims
        for dim in parameter.parsed.dims
        if dim not in pair.declared.dims and not dim.isdigit()
    }
    names = [name for name, size in pair.case.dims.items() if size == a[differing[0]]]
    if len(names) == 1 and names[0] in beside:
        text = f"Your output has {names[0]} where {expected} belongs: reduce the other of the two axes"
        yield pair.says(
            "wrong_axis", f"{expected} is {names[0]}",
            f"{text}; yours is {pair.yours()}, not {pair.whole()}.",
            f"{text}.",
        )  # fmt: skip


def _denied(
    key: tuple[str, str], exercise: Exercise, cases: Sequence[Case], outcomes: Mapping[int, CallOutcome]
) -> bool:
    """Whether a case shows that it is not one dimension for another: its size is neither, such as d_model + 1."""
    expected, is_, actual = key[1].partition(" is ")
    declared = exercise.signature.parsed_returns
    if key[0] != "wrong_axis" or not is_ or not isinstance(declared, Array):
        return False
    axis = declared.dims.index(expected)
    for n, outcome in outcomes.items():
        value = outcome.value if isinstance(outcome, Returned) else None
        sizes = [cases[n].dims.get(name) for name in (expected, actual)]
        if isinstance(value, np.ndarray) and value.ndim == len(declared.dims) and value.shape[axis] not in sizes:
            return True
    return False


def _constant(pair: _Pair) -> Iterator[Diagnosis]:
    flat = pair.e.ravel()
    if bool((flat == flat[0]).all()):
        return
    if float(np.abs(pair.a.ravel()[0])) == 0:
        if pair.actual.dtype.kind in "iu" and not pair.exact and bool((np.abs(flat) < 1).all()):
            yield pair.says(
                "truncated", "",
                "Your output holds whole numbers, so everything below 1 becomes 0: fill an array of "
                f"{pair.expected.dtype.name}.",
                "Your output holds whole numbers, so everything below 1 becomes 0: fill an array of floats.",
            )  # fmt: skip
            return
        yield pair.says(
            "constant", "0",
            "Every value of your output is zero: the results were not written into it, or were multiplied by zero.",
        )  # fmt: skip
    elif np.isnan(pair.a.ravel()[0]):
        yield pair.says(
            "constant", "NaN",
            "Every value of your output is NaN: look for 0 / 0, or infinity minus infinity.",
        )  # fmt: skip
    else:
        yield pair.says(
            "constant", "",
            "Every value of your output is the same number: one axis too many was reduced, or an index is "
            "fixed.",
        )  # fmt: skip


_LOOKS: tuple[Callable[[_Pair], Iterator[Diagnosis]], ...] = (
    _input_returned, _dtypes, _shapes, _orders, _along, _axes, _windows, _sizes, _copies, _functions, _partly,
    *NUMERIC_LOOKS,
)  # fmt: skip


# ------------------------------------------------------------------ other values, and several cases together


def _of_odd_kind(exercise: Exercise, case: Case, outcome: CallOutcome) -> Iterator[Diagnosis]:
    """Lists and numbers that hold the right values; dicts with other keys."""
    declared = exercise.signature.parsed_returns
    value = outcome.value if isinstance(outcome, Returned) else None
    if isinstance(declared, Record) and isinstance(value, dict):
        yield from _other_keys([key for key, _ in declared.fields], value)
    if not isinstance(declared, Array) or not isinstance(value, list | tuple | int | float) or isinstance(value, bool):
        return
    try:
        with np.errstate(all="ignore"):
            array = np.array(value, dtype=case.expected.dtype)
    except (ValueError, TypeError, OverflowError):
        return
    if array.size <= MAX_NUMBERS and _close(exercise, case.expected, array):
        container = f"a {type(value).__name__}"
        text = f"The values are right, but in {container}: return an array {declared}."
        yield Diagnosis("not_an_array", "", text, f"The values are right, but not in an array: return {declared}.")


def _other_keys(expected: Sequence[str], value: Mapping[Any, Any]) -> Iterator[Diagnosis]:
    missing = [f"`{key}`" for key in expected if key not in value]
    others = [f"`{key}`" for key in value if key not in expected and isinstance(key, str) and key.isidentifier()]
    if missing:
        text = f"Your dict has no {' and no '.join(missing)}"
        beside = f", but {' and '.join(others)}, which nobody asks for" if others else ""
        yield Diagnosis("other_keys", "", f"{text}{beside}.", f"{text}.")


def _over_cases(exercise: Exercise, cases: Sequence[Case], outcomes: Mapping[int, CallOutcome]) -> Iterator[Diagnosis]:
    """An output that stays the same while the inputs and the expected output change."""
    arrays = {
        n: outcome.value
        for n, outcome in outcomes.items()
        if isinstance(outcome, Returned)
        and isinstance(outcome.value, np.ndarray)
        and 0 < outcome.value.size <= MAX_NUMBERS
    }
    same: dict[tuple[Any, ...], list[int]] = {}
    for n, array in itertools.islice(arrays.items(), 32):
        same.setdefault((array.shape, array.dtype.name, array.tobytes()), []).append(n)
    ignored: set[frozenset[str]] = set()
    for members in same.values():
        array = arrays[members[0]]
        poor = len(np.unique(array.ravel()[:256].astype(np.complex128))) < FEW
        is_nan = array.dtype.kind == "f" and bool(np.isnan(array).all())
        if len(members) < 2 or is_nan or (array.size > 1 and bool((array == array.ravel()[0]).all())):
            continue
        for first, second in itertools.combinations(members, 2):
            if poor and not (len(members) >= 3 and len(members) == len(arrays)):
                continue
            if _shown_by(exercise, cases[first].expected, cases[second].expected, array):
                ignored.add(_differing(cases[first], cases[second]))
    ignored.discard(frozenset())
    if ignored and (heeded := set(_heeded(cases, arrays))):
        ignored -= {*heeded, frozenset(cases[0].inputs)}
    alone = [names for names in ignored if len(names) == 1]
    if frozenset(cases[0].inputs) in ignored:
        text = "Your function returns the same answer for different inputs: compute it from the arguments."
        yield Diagnosis("hard_coded", "", text, text)
    elif len(alone) == 1:
        (name,) = alone[0]
        text = f"Your output does not depend on `{name}`: it stays the same when `{name}` changes."
        yield Diagnosis("input_ignored", name, text, text)


def _shown_by(exercise: Exercise, first: Any, second: Any, array: Any) -> bool:
    """Whether the same output on two cases proves that it ignores their inputs.

    False where their expected outputs agree, such as the softmax of 0, 1, 2 and of 1000, 1001, 1002. False where all
    places in which these differ hold one single number, such as zeros that were never overwritten.
    """
    if _alike(exercise, first, second):
        return False
    if (
        not all(isinstance(each, np.ndarray) and each.shape == array.shape for each in (first, second))
        or array.size < 2
    ):
        return True
    rest = array[~np.isclose(first, second, exercise.tolerance.rtol, exercise.tolerance.atol, equal_nan=True)]
    return rest.size > 0 and bool((rest != rest[0]).any())


def _heeded(cases: Sequence[Case], arrays: Mapping[int, Any]) -> Iterator[frozenset[str]]:
    """The sets of arguments that do count: where only they differ, and not in shape, the outputs differ too."""
    for first, second in itertools.combinations(itertools.islice(arrays, 32), 2):
        if not _identical(arrays[first], arrays[second]):
            names = _differing(cases[first], cases[second])
            if all(_shape(cases[first], name) == _shape(cases[second], name) for name in names):
                yield names


def _shape(case: Case, name: str) -> tuple[int, ...]:
    """Of an argument; a scalar's where it is left out, since only scalars have defaults."""
    return np.shape(case.inputs[name]) if name in case.inputs else ()


def _differing(first: Case, second: Case) -> frozenset[str]:
    """An argument with a default may be left out of one of them."""
    one, other = first.inputs, second.inputs
    return frozenset(
        name
        for name in {**one, **other}
        if (name in one) != (name in other) or not _identical(one.get(name), other.get(name))
    )


def _identical(first: Any, second: Any) -> bool:
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        return first.shape == second.shape and first.dtype == second.dtype and first.tobytes() == second.tobytes()
    return type(first) is type(second) and repr(first) == repr(second)


def _changed(exercise: Exercise, outcome: CallOutcome) -> Iterator[Diagnosis]:
    changed = outcome.changed if isinstance(outcome, Returned) else ()
    names = [parameter.name for place, parameter in enumerate(exercise.signature.parameters) if place in changed]
    if names:
        listed = " and ".join(f"`{name}`" for name in names)
        text = f"Your function changes its argument {listed} in place: it later reads the changed values."
        yield Diagnosis("argument_changed", "", text, text)


# ------------------------------------------------------------------ two outcomes


def _close(exercise: Exercise, expected: Any, actual: Any) -> bool:
    if expected.shape != actual.shape:
        return False
    plain = Array(expected.dtype.name, tuple(str(size) for size in expected.shape))
    return compare(expected, actual, plain, {}, exercise.tolerance) is None


def _same(exercise: Exercise, case: Case, yours: CallOutcome, theirs: CallOutcome) -> bool:
    """Whether two outcomes are the same: one value within the tolerance, or one error with one message."""
    match yours, theirs:
        case Returned(), Returned():
            return _alike(exercise, yours.value, theirs.value)
        case Ran(), Ran():
            if len(yours.steps) != len(theirs.steps):
                return False
            expected = case.expected if isinstance(case.expected, tuple | list) else ()
            steps = itertools.zip_longest(yours.steps, theirs.steps, expected[: len(yours.steps)])
            return all(_same_step(exercise, *each) for each in steps)
        case Raised(), Raised():
            # The answer that is asked for: its words are anybody's own, unless the exercise asks for them too.
            if case.error and not exercise.messages and yours.is_a(case.error.name):
                return theirs.is_a(case.error.name)
            return (yours.type, _without_lines(yours.message)) == (theirs.type, _without_lines(theirs.message))
        case Odd(), Odd():
            return yours == theirs
    return ended_by(yours) is not None and ended_by(yours) == ended_by(theirs)


def _without_lines(message: str) -> str:
    """JAX names the student's file and line: the same mistake stands on another line in other programs."""
    return re.sub(r"submission\.py:\d+", "submission.py", message)


def _same_step(exercise: Exercise, yours: Step, theirs: Step, expected: Step | None) -> bool:
    if yours[:2] != theirs[:2]:
        return False
    if yours[1] == "raised":
        is_asked_for = expected is not None and expected[:2] == yours[:2] and not exercise.messages
        if expected and is_asked_for and yours[2].get("type") == expected[2].get("type"):
            return bool(theirs[2].get("type") == expected[2].get("type"))
        one, two = (
            (step[2].get("type"), _without_lines(str(step[2].get("message") or ""))) for step in (yours, theirs)
        )
        return one == two
    return _alike(exercise, yours[2], theirs[2])


def _alike(exercise: Exercise, actual: Any, expected: Any) -> bool:
    if isinstance(actual, float) or isinstance(expected, float):  # the other may be an array without axes
        numbers = _number_of(expected), _number_of(actual)
        return None not in numbers and _close(exercise, *map(np.asarray, numbers))
    if type(actual) is not type(expected):
        return False
    if isinstance(actual, np.ndarray):
        return actual.dtype == expected.dtype and _close(exercise, expected, actual)
    if isinstance(actual, list | tuple):
        return len(actual) == len(expected) and all(map(lambda a, b: _alike(exercise, a, b), actual, expected))
    if isinstance(actual, dict):
        return actual.keys() == expected.keys() and all(_alike(exercise, actual[key], expected[key]) for key in actual)
    return repr(actual) == repr(expected)


def _number_of(value: Any) -> float | None:
    """A float, alone or in an array without axes; None for anything else."""
    is_array = isinstance(value, np.ndarray) and value.ndim == 0 and value.dtype.kind == "f"
    return float(value) if is_array or isinstance(value, float) else None
