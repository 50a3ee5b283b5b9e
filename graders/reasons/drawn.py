"""Random numbers that are drawn in another way than the expected ones: another distribution, spread, shape or key.

Only where the exercise draws them: its arguments are a seed and sizes, its reference draws, and what it expects looks
like independent draws. Then yours must look like draws too. Where yours is computed in some other way, all of this is
silent.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from graders.boxes.reply import CallOutcome, Returned
from graders.exercise.cases import Case
from graders.exercise.definition import Exercise
from graders.exercise.signature import Array
from graders.reasons.pairs import MAX_NUMBERS, Diagnosis, Pair

MAX_DRAWN = 40  # cases whose numbers are put together
ENOUGH = 40  # numbers that show a distribution
MANY = 200  # numbers that show where a distribution ends
_SEED = re.compile(r"seed|key|rng|random", re.IGNORECASE)
_DRAWS = re.compile(r"random|rng|PRNGKey|initializers|manual_seed|\.normal|\.uniform|randn")


@dataclass(frozen=True)
class _Numbers:
    """Numbers of all cases, shape (count,)."""

    all: Any

    @cached_property
    def mean(self) -> float:
        return float(self.all.mean())

    @cached_property
    def spread(self) -> float:
        return float(self.all.std())

    @cached_property
    def reach(self) -> float:
        """The largest distance from the mean, in standard deviations."""
        return float(np.abs(self.all - self.mean).max()) / self.spread

    @cached_property
    def peak(self) -> float:
        """The kurtosis: 3 for normal numbers, 1.8 for uniform ones."""
        return float(((self.all - self.mean) ** 4).mean()) / self.spread**4

    @property
    def is_varied(self) -> bool:
        """Whether most are different, as draws are. In bfloat16 some are alike by chance."""
        return self.spread > 0 and len(np.unique(self.all)) > 0.7 * len(self.all)

    @property
    def is_normal(self) -> bool:
        centred = bool(abs(self.mean) < 4 * self.spread / len(self.all) ** 0.5)
        return centred and 2.1 < self.peak < 4.5 and self.reach > 2

    @property
    def ends_early(self) -> bool:
        """Whether the large numbers are missing that so many normal ones would have. A truncated normal distribution is
        cut off at two standard deviations, which is 2.27 of those that remain. Of a whole one, chance does that once in
        thirty times at most."""
        count = len(self.all)
        return count >= MANY and self.reach < 2.45 and math.erf(self.reach / 2**0.5) ** count < 0.03

    @property
    def is_uniform(self) -> bool:
        return self.peak < 2.2 and self.reach < 1.9


def drawn_otherwise(
    exercise: Exercise, cases: Sequence[Case], outcomes: Mapping[int, CallOutcome], pairs: Mapping[int, Pair]
) -> Iterator[tuple[int, Diagnosis]]:
    """How your draws differ from the expected ones, for each wrong case, by index into `cases`."""
    if not pairs or not _draws(exercise):
        return
    both = list(_arrays(cases, outcomes))
    if not both or any(pair.where for pair in pairs.values()):
        return
    e, a = (_Numbers(np.concatenate([pair[side] for pair in both])) for side in (0, 1))
    if len(e.all) < ENOUGH or not e.is_varied or not a.is_varied or not (e.is_normal or e.is_uniform):
        return
    found = _of_scaled(e, a) or _of_shared(both, e) or _of_dtypes(e, a, pairs)
    if found is None and (_are_unrelated(e, a) or _are_in_order(e, a)):
        found = _of_another_kind(e, a)
    # where one case has the right draws, the others have them too, somewhere
    if found is None and _are_unrelated(e, a) and not any(np.allclose(*pair, rtol=1e-4) for pair in both):
        found = _of_other_draws(exercise, e, a)
    if found is not None:
        name, text, hidden = found
        yield from ((n, pair.says(name, "", text, hidden)) for n, pair in pairs.items())


def _draws(exercise: Exercise) -> bool:
    parameters = exercise.signature.parameters
    seeded = exercise.is_seeded or any(_SEED.search(parameter.name) for parameter in parameters)
    computes = any(isinstance(parameter.parsed, Array) and "float" in str(parameter.parsed) for parameter in parameters)
    return seeded and not computes and exercise.checker is None and bool(_DRAWS.search(exercise.reference.text))


def _arrays(cases: Sequence[Case], outcomes: Mapping[int, CallOutcome]) -> Iterator[tuple[Any, Any]]:
    """Expected and actual numbers of each case, flat. None at all where one case returned something else."""
    found = []
    for n, outcome in sorted(outcomes.items())[:MAX_DRAWN]:
        expected, actual = cases[n].expected, outcome.value if isinstance(outcome, Returned) else None
        if not isinstance(expected, np.ndarray) or not isinstance(actual, np.ndarray):
            return
        if expected.size != actual.size or not expected.size <= MAX_NUMBERS // 8:
            return
        if expected.dtype.kind != "f" or not _is_float(actual) or not np.isfinite(actual).all():
            return
        found.append((expected.ravel().astype(np.float64), actual.ravel().astype(np.float64)))
    yield from found


def _is_float(array: Any) -> bool:
    return bool(array.dtype.kind == "f" or array.dtype.name == "bfloat16")


def _are_unrelated(e: _Numbers, a: _Numbers) -> bool:
    correlation = float(((e.all - e.mean) * (a.all - a.mean)).mean()) / (e.spread * a.spread)
    return bool(abs(correlation) < 4 / len(e.all) ** 0.5)


def _of_scaled(e: _Numbers, a: _Numbers) -> tuple[str, str, str] | None:
    """The expected draws themselves, times one number: only their standard deviation is another."""
    factor = a.spread / e.spread
    if abs(factor - 1) < 1e-3 or not np.allclose(a.all, factor * e.all, rtol=1e-4, atol=1e-5 * a.spread):
        return None
    text, hidden = _of_spread(e, a)
    times = f"Every value is the expected one times {factor:.4g}"
    return "drawn_scaled", f"{times}: {text[0].lower()}{text[1:]}", hidden


def _are_in_order(e: _Numbers, a: _Numbers) -> bool:
    """Whether the same random bits made both: the smallest of yours stands where the smallest expected one does."""
    ranks = [np.argsort(np.argsort(numbers.all)) for numbers in (e, a)]
    return float(np.abs(ranks[0] - ranks[1]).max()) <= 0.05 * len(e.all)


def _of_dtypes(e: _Numbers, a: _Numbers, pairs: Mapping[int, Pair]) -> tuple[str, str, str] | None:
    narrow = {pair.actual.dtype.name for pair in pairs.values()} - {pair.expected.dtype.name for pair in pairs.values()}
    if len(narrow) != 1 or not _are_unrelated(e, a):
        return None
    text = "and draws in another dtype are other numbers: draw them in the dtype that is expected."
    return "drawn_dtype", f"Your numbers are {narrow.pop()}, {text}", f"Your numbers have another dtype, {text}"


def _of_shared(both: Sequence[tuple[Any, Any]], e: _Numbers) -> tuple[str, str, str] | None:
    """Some of your numbers are expected ones, but elsewhere: the table was drawn or cut in another shape."""
    shared = elsewhere = 0
    for expected, actual in both:
        near = np.abs(expected[:, None] - actual[None, :256]) < 1e-6 * e.spread
        shared += int(near.any(axis=0).sum())
        elsewhere += int((near.any(axis=0) & ~near[np.arange(near.shape[1]), np.arange(near.shape[1])]).sum())
    total = sum(min(len(actual), 256) for _, actual in both)
    if elsewhere > 0.05 * total and elsewhere >= 6 and shared < 0.95 * total:
        text = (
            "Some of your numbers are expected ones, but at other places: the array is drawn in another shape, or cut "
            "along another axis."
        )
        return "drawn_shape", text, text
    return None


def _of_another_kind(e: _Numbers, a: _Numbers) -> tuple[str, str, str] | None:
    """Uniform numbers for normal ones, or the other way round, or normal ones without the rare large ones."""
    if e.is_normal and a.is_uniform:
        text = "Your numbers are drawn from a uniform distribution, where a normal one is expected"
        ends = "none is negative" if a.all.min() >= 0 else f"none is below {a.all.min():.2g}"
        return "drawn_uniform", f"{text}: {ends}, and none above {a.all.max():.2g}.", f"{text}."
    if e.is_uniform and a.is_normal:
        text = "Your numbers are drawn from a normal distribution, where a uniform one is expected."
        return "drawn_normal", text, text
    if e.is_normal and a.is_normal and e.reach > 2.6 and a.ends_early:
        text = "Your numbers are drawn from a truncated normal distribution, where a whole one is expected"
        return "drawn_truncated", f"{text}: none is beyond {np.abs(a.all).max():.2g}.", f"{text}."
    return None


def _of_other_draws(exercise: Exercise, e: _Numbers, a: _Numbers) -> tuple[str, str, str] | None:
    """The same distribution with another spread, or drawn with another key."""
    if not (e.is_normal and a.is_normal) and not (e.is_uniform and a.is_uniform):
        return None
    ratio = a.spread / e.spread
    if not 1 / 1.4 < ratio < 1.4:
        return "drawn_spread", *_of_spread(e, a)
    if 1 / 1.25 < ratio < 1.25 and abs(a.mean - e.mean) < 6 * e.spread / len(e.all) ** 0.5:
        text = (
            f"Your numbers have the distribution that is expected, but they are other draws: {_why_others(exercise)}."
        )
        return "drawn_again", text, text
    return None


def _of_spread(e: _Numbers, a: _Numbers) -> tuple[str, str]:
    text = "Your numbers are drawn with another standard deviation than the expected ones"
    numbers = f"about {a.spread:.1g} instead of {e.spread:.1g}"
    if abs(a.spread / e.spread**2 - 1) < 0.25 and e.spread < 0.5:
        why = ", as if it had been squared: the standard deviation is asked for, and not the variance"
    elif abs(a.spread / e.spread**0.5 - 1) < 0.25 and e.spread < 0.5:
        why = ", as if its square root had been taken: the number is the standard deviation already"
    else:
        why = ""
    return f"{text}, {numbers}{why}.", f"{text}{why}."


def _why_others(exercise: Exercise) -> str:
    if exercise.frameworks == ("jax",):
        reasons = "look for another seed, for a `split` or a `fold_in` of the key, and for draws in another dtype"
        flax = "flax" in exercise.reference.text
        return f"{reasons}; in Flax, the module and what it declares before change the key too" if flax else reasons
    return "look for another seed or generator, for draws made before these, and for draws in another dtype"
