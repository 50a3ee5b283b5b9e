"""NumPy. Cases are made in it, and all values cross the wall as its arrays."""

import sys
from typing import Any

from graders.frameworks.kind import CannotCross, Framework

_SEED_MASK = (1 << 32) - 1  # what it takes


def _leave(value: Any) -> Any:
    import numpy

    masked = sys.modules.get("numpy.ma")  # no program has made one without importing it
    if masked is not None and isinstance(value, masked.MaskedArray):
        raise CannotCross("a masked array")
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        return numpy.array(value, order="C", copy=True, subok=False)
    return NotImplemented


def _seed(number: int) -> None:
    import numpy

    numpy.random.seed(number & _SEED_MASK)  # the generator that all of a program shares


FRAMEWORK = Framework(
    name="numpy",
    title="NumPy",
    imports=("numpy", "numpy.linalg", "numpy.random", "numpy.fft"),
    releases=("numpy",),
    parked=(2, 6),
    leave=_leave,
    seed=_seed,
    instead={
        "numpy": {
            "cat": "`np.concatenate([x, y])`",
            "tensor": "`np.array(…)`", "unsqueeze": "`np.expand_dims(x, axis)`", "permute": "`np.transpose(x, axes)`",
            "clamp": "`np.clip(x, low, high)`", "erf": "`math.erf`, for one number at a time", "mm": "`x @ y`",
            "bmm": "`x @ y`", "einsum_": "`np.einsum`", "rsqrt": "`1 / np.sqrt(x)`",
            "float": "`np.float64`", "int": "`np.int64`", "bool8": "`np.bool_`", "object": "`object`",
            "manual_seed": "`np.random.default_rng(seed)`",
        },
    },
)  # fmt: skip
