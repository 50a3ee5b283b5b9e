"""The numbers of two compared arrays, for a figure: a block of each, small enough for a database row.

For sample cases only. The block of a large array lies around the worst element. It includes the whole array's shape and
where the block begins in it, so that nobody takes the part for the whole.
"""

import math
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

MAX_ELEMENTS = 4_096  # of one array
TOTAL_BYTES = 128 << 10  # of all sample cases of a submission together, before base64
_STORED = {"bfloat16": "float32"}  # so that reading it needs no ml_dtypes

Index = tuple[int, ...]


@dataclass(frozen=True)
class ArrayBlock:
    """A block of an array. `shape` is the whole array's; `data` is base64 of little-endian numbers in C order."""

    dtype: str
    shape: Index
    start: Index
    size: Index
    data: str

    @classmethod
    def of(cls, array: Any, elements: int, around: Index | None = None) -> "ArrayBlock":
        """At most `elements` of `array`: all of it, or a block around the index `around`, or the first block."""
        size = block_size(array.shape, elements)
        around = around if around is not None and len(around) == array.ndim else (0,) * array.ndim
        start = tuple(
            max(0, min(at - length // 2, whole - length))
            for at, length, whole in zip(around, size, array.shape, strict=True)
        )
        numbers = array[_slices(start, size)].astype(_stored_dtype(array.dtype.name))
        return cls(array.dtype.name, array.shape, start, size, b64encode(numbers.tobytes()).decode())

    def array(self) -> Any:
        """The block's numbers; a bfloat16 has become a float32."""
        return np.frombuffer(b64decode(self.data), _stored_dtype(self.dtype)).reshape(self.size)

    @property
    def is_whole(self) -> bool:
        return self.size == self.shape


@dataclass(frozen=True)
class NamedArray:
    """One array of a value that is shown but not compared: its place in the value, and its axes' names."""

    where: str  # "[1]" or "['mask']"; "" for all of it
    dims: tuple[str, ...]
    block: ArrayBlock


@dataclass(frozen=True)
class ComparedArrays:
    """Expected and actual, block by block. `differing` has a bit for each element, None where the shapes differ."""

    where: str  # "[1]" or "['mask']" inside the value returned; "" for all of it
    dims: tuple[str, ...]  # the names of the expected array's axes, from the signature
    expected: ArrayBlock
    actual: ArrayBlock
    differing: str | None
    worst: Index | None  # of the whole array

    @classmethod
    def of(
        cls, where: str, dims: Sequence[str], expected: Any, actual: Any, differing: Any, worst: Index | None, cap: int
    ) -> "ComparedArrays":
        """`differing`: a boolean array of their common shape, or None. `cap`: elements of each that are kept."""
        if differing is not None and worst is None and differing.size:
            worst = tuple(int(i) for i in np.unravel_index(int(np.argmax(differing)), differing.shape))
        block = ArrayBlock.of(expected, cap, worst)
        bits = None
        if differing is not None:
            bits = b64encode(np.packbits(differing[_slices(block.start, block.size)]).tobytes()).decode()
        return cls(
            where, tuple(dims), block, ArrayBlock.of(actual, cap, worst if bits is not None else None), bits, worst
        )

    def mask(self) -> Any:
        """`differing` as a boolean array of the block's size, or None."""
        if self.differing is None:
            return None
        bits = np.frombuffer(b64decode(self.differing), np.uint8)
        size = self.expected.size
        return np.unpackbits(bits, count=math.prod(size)).astype(bool).reshape(size)

    def row(self) -> dict[str, Any]:
        """As JSON for the database; `from_row` is the way back."""
        return {**vars(self), "expected": dict(vars(self.expected)), "actual": dict(vars(self.actual))}

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "ComparedArrays":
        def block(fields: Mapping[str, Any]) -> ArrayBlock:
            shape, start, size = (tuple(fields[name]) for name in ("shape", "start", "size"))
            return ArrayBlock(fields["dtype"], shape, start, size, fields["data"])

        worst = tuple(row["worst"]) if row["worst"] is not None else None
        sides = block(row["expected"]), block(row["actual"])
        return cls(row["where"], tuple(row["dims"]), *sides, row["differing"], worst)


def elements_each(samples: int, *itemsizes: int) -> int:
    """How many elements of each array are kept, if a submission has this many sample cases."""
    return max(1, min(MAX_ELEMENTS, TOTAL_BYTES // (max(1, samples) * max(1, sum(itemsizes)))))


def block_size(shape: Index, elements: int) -> Index:
    """The largest block of at most `elements`; its long sides are cut to one common length."""
    if math.prod(shape) <= elements:
        return tuple(shape)
    low, high = 1, elements
    while low < high:
        side = (low + high + 1) // 2
        if math.prod(min(side, whole) for whole in shape) <= elements:
            low = side
        else:
            high = side - 1
    return tuple(min(low, whole) for whole in shape)


def _stored_dtype(dtype: str) -> Any:
    return np.dtype(_STORED.get(dtype, dtype)).newbyteorder("<")


def _slices(start: Index, size: Index) -> tuple[slice, ...]:
    return tuple(slice(at, at + length) for at, length in zip(start, size, strict=True))
