"""Expected and actual numbers of one wrong case, and a diagnosis of them: what every look takes and yields."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from graders.exercise.cases import Case
from graders.exercise.definition import Exercise
from graders.exercise.dims import dim_size, factors_of
from graders.exercise.signature import Array

MAX_NUMBERS = 1 << 15  # of an array that is examined
FEW = 4  # a case with fewer different numbers needs support from others


@dataclass(frozen=True)
class Diagnosis:
    """What is wrong, by name and in words. `detail`, such as an axis, tells two of the same name apart."""

    name: str
    detail: str
    text: str  # for a sample case: shapes and numbers are the student's own
    hidden: str  # for a hidden case: no numbers

    @property
    def key(self) -> tuple[str, str]:
        return self.name, self.detail

    def sentence(self, sample: bool) -> str:
        return self.text if sample else self.hidden


@dataclass(frozen=True)
class Pair:
    """Expected and actual array of one case, as numbers. `where` is their place in a tuple or dict, "" for the whole.

    `names` and `shape` are the expected dimensions, with products split: T*d_model becomes T, d_model.
    """

    exercise: Exercise
    case: Case
    declared: Array
    expected: Any
    actual: Any
    where: str

    @cached_property
    def e(self) -> Any:
        return self.expected.astype(np.complex128 if self.expected.dtype.kind == "c" else np.float64)

    @cached_property
    def a(self) -> Any:
        return self.actual.astype(np.complex128 if self.actual.dtype.kind == "c" else np.float64)

    @cached_property
    def split(self) -> bool:
        return any(len(factors_of(dim)) > 1 for dim in self.declared.dims) and self.shape != self.expected.shape

    @cached_property
    def factors(self) -> list[tuple[str, int]]:
        factors: list[tuple[str, int]] = []
        for axis, dim in enumerate(self.declared.dims):
            parts = [(part, dim_size(part, dict(self.case.dims))) for part in factors_of(dim)]
            if len(parts) > 1 and all(size is not None for _, size in parts):
                factors += [(part, size or 0) for part, size in parts]
            else:
                factors.append((dim if not dim.isdigit() else f"axis {axis}", self.expected.shape[axis]))
        return factors

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.factors)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        return tuple(size for _, size in self.factors)

    @cached_property
    def ev(self) -> Any:
        """The expected numbers in `shape`."""
        return self.e.reshape(self.shape)

    @cached_property
    def av(self) -> Any | None:
        """The student's numbers in `shape`, or None where their shape is not the expected one."""
        return self.a.reshape(self.shape) if self.a.shape == self.e.shape else None

    @property
    def matched(self) -> Any:
        """The student's numbers in `shape`, where `av` is not None. Raises ValueError if there are not as many."""
        return self.a.reshape(self.shape)

    @cached_property
    def exact(self) -> bool:
        return bool(self.expected.dtype.kind in "biu")

    @cached_property
    def finite(self) -> bool:
        return bool(np.isfinite(self.e).all() and np.isfinite(self.a).all())

    @cached_property
    def rich(self) -> bool:
        return len(np.unique(self.ev.ravel()[:256])) >= FEW

    @cached_property
    def constant(self) -> bool:
        flat = self.a.ravel()
        return bool((flat == flat[0]).all() or np.isnan(flat).all())

    @cached_property
    def same_numbers(self) -> bool:
        """Whether the numbers are the expected ones, in any order."""
        return self.a.size == self.e.size and self.equal(np.sort(self.e.ravel()), np.sort(self.a.ravel()))

    @cached_property
    def tolerances(self) -> tuple[float, float]:
        if self.exact:
            return 0.0, 0.0
        coarse = {"float16": 1e-3, "bfloat16": 8e-3}.get(self.actual.dtype.name, 0.0)
        return max(self.exercise.tolerance.rtol, coarse), self.exercise.tolerance.atol

    def equal(self, e: Any, a: Any) -> bool:
        if e.shape != a.shape:
            return False
        rtol, atol = self.tolerances
        if self.finite and a.size > 1:  # most candidates already differ in one number
            expected, actual = e.item(a.size // 2), a.item(a.size // 2)
            if not abs(expected - actual) <= 1.01 * (atol + rtol * abs(expected)):
                return False
        with np.errstate(all="ignore"):
            close = np.abs(e - a) <= atol + rtol * np.abs(e)
            if not self.finite:
                close = (close & np.isfinite(e) & np.isfinite(a)) | (e == a) | (np.isnan(e) & np.isnan(a))
        return bool(close.all())

    def whole(self) -> str:
        """The declared dimensions: `(N, T, d_model)`."""
        return self.declared.dims_text()

    def yours(self) -> str:
        return str(self.actual.shape)

    def says(self, name: str, detail: str, text: str, hidden: str | None = None) -> Diagnosis:
        place = f"In result{self.where}: " if self.where else ""
        return Diagnosis(name, detail, place + text, place + (hidden if hidden is not None else text))
