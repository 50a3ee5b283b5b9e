"""Expected, yours and the difference, or inputs alone, as a page shows them: heat maps of one slice, and all numbers.

The maps that the server draws are of the slice with the worst element; the page's script draws the others, from the
same numbers, in the colours that it reads from the legend.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.web import heatmap
from graders.reasons.arrays import MAX_ELEMENTS, ArrayBlock, ComparedArrays, Index, NamedArray
from graders.verdict import ArrayView

CELL = 30.0  # pixels at most, a side
# Pixels at most: the width of a map, so that three stand side by side; of one with many columns; of a strip; the height
SNUG, WIDE, STRIP, HIGH = 144.0, 240.0, 510.0, 240.0
TABLE_CELLS = 600  # more are put into the table when it is opened, by the script
MAPPED_FROM = 16  # elements: of a smaller array the numbers are as quick to read


@dataclass(frozen=True)
class Axis:
    """One axis; `start` and `count` tell the block that is here, `at` is where it is opened, within the block."""

    name: str
    size: int
    start: int
    count: int
    at: int

    @property
    def label(self) -> str:
        part = f", {self.start} to {self.start + self.count - 1} shown" if self.count < self.size else ""
        return f"{self.name} = {self.size}{part}"


@dataclass(frozen=True)
class Map:
    """One heat map. `texts` are all numbers of the block, in C order, a space between; `cells` those of the slice."""

    kind: str  # expected | yours | difference; value: of an array that is shown alone, by its name
    title: str
    dtype: str
    texts: str
    cells: tuple[tuple[str, ...], ...]
    image: str
    strange: str
    outline: str


@dataclass(frozen=True)
class Legend:
    kind: str  # values | differences
    bar: str
    low: str
    high: str
    note: str


@dataclass(frozen=True)
class Group:
    """Maps of one shape, which share axes, slices and cursor."""

    axes: tuple[Axis, ...]
    down: int | None  # the axis whose index runs down the page, and across it; None: a strip has none
    across: int | None
    maps: tuple[Map, ...]
    legends: tuple[Legend, ...]
    differing: str  # a 0 or 1 for each number, "" where nothing is compared
    table: tuple[tuple[tuple[str, str, bool], ...], ...]  # the slice: (yours or the only one, expected, differs)
    reading: tuple[str, ...]  # of the cell it opens at: the texts of its maps
    width: float
    height: float
    has_worst: bool

    @property
    def rows(self) -> int:
        return self.axes[self.down].count if self.down is not None else 1

    @property
    def columns(self) -> int:
        return self.axes[self.across].count if self.across is not None else 1

    @property
    def place(self) -> tuple[int, int]:
        """(x, y) of the cell it opens at."""
        x = self.axes[self.across].at if self.across is not None else 0
        return x, self.axes[self.down].at if self.down is not None else 0

    @property
    def index(self) -> Index:
        return tuple(axis.start + axis.at for axis in self.axes)

    @property
    def row_axis(self) -> Axis | None:
        return self.axes[self.down] if self.down is not None else None

    @property
    def column_axis(self) -> Axis | None:
        return self.axes[self.across] if self.across is not None else None

    @property
    def has_slices(self) -> bool:
        """Whether there is more than the one that is drawn."""
        return sum(axis.count > 1 for axis in self.axes) > 2

    @property
    def is_part(self) -> bool:
        return any(axis.count < axis.size for axis in self.axes)


@dataclass(frozen=True)
class Figure:
    groups: tuple[Group, ...]
    sentences: tuple[str, ...]


def figure(compared: ComparedArrays) -> Figure:
    """The maps of a sample case that is wrong."""
    mask = compared.mask()
    sentences = [f"This is result{compared.where}, the first part that differs."] if compared.where else []
    if mask is None:
        shapes = (_shape(block.shape) for block in (compared.expected, compared.actual))
        sentences.append("The shapes differ, {} and {}: shown separately.".format(*shapes))
    elif 0 in compared.expected.shape:
        return Figure(
            (), (*sentences, f"There are no elements to show: the shape is {_shape(compared.expected.shape)}.")
        )
    elif not mask.any():
        sentences.append("Every value agrees within the tolerance." if compared.expected.is_whole else "")
    return Figure(tuple(_groups(compared, mask)), tuple(sentence for sentence in sentences if sentence))


def figure_of_arrays(
    values: Mapping[str, ArrayView], arrays: Mapping[str, Iterable[NamedArray]], *, whole: bool
) -> Figure:
    """Arrays that are shown and not compared, each on its own scale; a value without any stands as text.

    `whole`: a large slice is in its table from the beginning, for a page that is read without a script.
    """
    groups: list[Group] = []
    sentences = []
    for name, value in values.items():
        parts = tuple(arrays.get(name, ()))
        for part in parts:
            if 0 in part.block.shape:
                sentences.append(f"{name}{part.where} has no elements: its shape is {_shape(part.block.shape)}.")
                continue
            side = ("value", f"{name}{part.where}", part.block)
            groups.append(_group([side], part.dims, None, None, MAX_ELEMENTS if whole else TABLE_CELLS))
        if not parts:
            sentences.append(f"{name} = {value.text}")
    return Figure(tuple(groups), tuple(sentences))


def is_mapped(parts: Iterable[NamedArray]) -> bool:
    """Whether a heat map tells more of these arrays than their numbers do."""
    return any(math.prod(part.block.shape) >= MAPPED_FROM for part in parts)


def _groups(compared: ComparedArrays, mask: Any) -> list[Group]:
    sides = [("expected", "Expected", compared.expected), ("yours", "Yours", compared.actual)]
    if mask is not None:
        return [_group(sides, compared.dims, mask, compared.worst)]
    return [_group([side], _dims(side[2], compared), None, None) for side in sides if 0 not in side[2].shape]


def _dims(block: ArrayBlock, compared: ComparedArrays) -> tuple[str, ...]:
    """The axes' names; of a shape that is not as declared, only of the axes that have the size they should."""
    whole = compared.expected.shape
    if len(block.shape) != len(whole):
        return ("",) * len(block.shape)
    return tuple(
        dim if size == right else "" for dim, size, right in zip(compared.dims, block.shape, whole, strict=True)
    )


def _group(
    sides: list[tuple[str, str, ArrayBlock]],
    dims: tuple[str, ...],
    mask: Any,
    worst: Index | None,
    table_cells: int = TABLE_CELLS,
) -> Group:
    block = sides[0][2]
    axes = tuple(
        Axis(
            dim if dim and not dim.isdigit() else f"axis {n}",
            block.shape[n],
            block.start[n],
            block.size[n],
            worst[n] - block.start[n] if worst else 0,
        )
        for n, dim in enumerate(dims)
    )
    across = len(axes) - 1 if axes else None
    down = len(axes) - 2 if len(axes) > 1 else None
    shown = [(kind, title, block.dtype, _texts(block), _numbers(block)) for kind, title, block in sides]
    scale = _scale([numbers for *_, numbers in shown])  # one for both: the same colour is the same number
    here = tuple(slice(None) if n in (down, across) else axis.at for n, axis in enumerate(axes))
    maps = [
        _map(kind, title, dtype, texts, numbers, here, mask, heatmap.values(_flat(numbers[here]), *scale))
        for kind, title, dtype, texts, numbers in shown
    ]
    legends = [_values_legend(scale, any(dtype.startswith("complex") for _, _, dtype, _, _ in shown))]
    if mask is not None and mask.any():
        numbers, texts = _difference(sides[0][2], sides[1][2], mask)
        most = float(np.abs(numbers[np.isfinite(numbers)]).max(initial=0.0))
        image = heatmap.differences(_flat(numbers[here]), most, _flat(~mask[here]))
        maps.append(_map("difference", "Difference", "", texts, numbers, here, mask, image))
        legends.append(_difference_legend(most))
    columns, rows = (axes[n].count if n is not None else 1 for n in (across, down))
    point = _flat_index(axes)
    return Group(
        axes,
        down,
        across,
        tuple(maps),
        tuple(legends),
        "".join("01"[bit] for bit in mask.ravel().tolist()) if mask is not None else "",
        _table(maps, _flat(mask[here]) if mask is not None else None) if rows * columns <= table_cells else (),
        tuple(one.texts.split(" ")[point] for one in maps),
        _width(columns, rows),
        min(CELL * rows, HIGH),
        worst is not None and mask is not None and bool(mask.any()),
    )


def _width(columns: int, rows: int) -> float:
    return min(CELL * columns, STRIP if rows == 1 else max(SNUG, min(WIDE, 4.0 * columns)))


def _map(kind: str, title: str, dtype: str, texts: list[str], numbers: Any, here: Any, mask: Any, image: str) -> Map:
    cells = _flat(np.array(texts, object).reshape(numbers.shape)[here])
    outline = heatmap.outline(_flat(mask[here])) if mask is not None else ""
    return Map(
        kind,
        title,
        dtype,
        " ".join(texts),
        tuple(tuple(row) for row in cells),
        image,
        heatmap.strange(_flat(numbers[here])),
        outline,
    )


def _table(maps: list[Map], mask: Any) -> tuple[tuple[tuple[str, str, bool], ...], ...]:
    if mask is None:
        return tuple(tuple((text, "", False) for text in row) for row in maps[0].cells)
    return tuple(
        tuple(zip(yours, expected, differs, strict=True))
        for expected, yours, differs in zip(maps[0].cells, maps[1].cells, mask.tolist(), strict=True)
    )


def _flat(cells: Any) -> Any:
    """A slice as rows: a strip is one row, a single number one cell."""
    cells = np.asarray(cells)
    return cells.reshape(-1, cells.shape[-1]) if cells.ndim else cells.reshape(1, 1)


def _flat_index(axes: tuple[Axis, ...]) -> int:
    at = 0
    for axis in axes:
        at = at * axis.count + axis.at
    return at


def _numbers(block: ArrayBlock) -> Any:
    """What colours go by, as float64; of complex numbers the magnitude."""
    held = block.array()
    return np.abs(held) if held.dtype.kind == "c" else held.astype(np.float64)


def _texts(block: ArrayBlock) -> list[str]:
    """Each number in as many digits as tell it from its neighbours; integers exactly."""
    flat = block.array().ravel()
    if block.dtype == "bfloat16":
        return [f"{value:.4g}" for value in flat.tolist()]
    if flat.dtype.kind in "biu" or flat.dtype.name == "float64":
        return [str(value) for value in flat.tolist()]
    texts: list[str] = flat.astype(str).tolist()  # quicker than one by one, and the same
    return texts


def _difference(expected: ArrayBlock, actual: ArrayBlock, mask: Any) -> tuple[Any, list[str]]:
    """Yours less expected, as numbers for colours and as texts; of complex numbers the distance."""
    e, a = expected.array(), actual.array()
    if e.dtype.kind in "biu" and a.dtype.kind in "biu":
        exact = [right - left for left, right in zip(map(int, e.ravel()), map(int, a.ravel()), strict=True)]
        return np.array(exact, np.float64).reshape(e.shape), [f"{one:+d}" if one else "0" for one in exact]
    is_complex = "c" in e.dtype.kind + a.dtype.kind
    wide = np.complex128 if is_complex else np.float64
    with np.errstate(all="ignore"):
        less = a.astype(wide) - e.astype(wide)
        less = np.abs(less) if is_complex else less
    less = np.where(~mask & ~np.isfinite(less), 0.0, less)  # both the same infinity, or both NaN
    return less, [_signed(one) for one in less.ravel().tolist()]


def _signed(value: float) -> str:
    if math.isnan(value):
        return "nan"
    return f"{value:+.3g}" if value else "0"


def _scale(sides: list[Any]) -> tuple[float, float]:
    """The smallest and the largest finite number of both."""
    finite = np.concatenate([numbers[np.isfinite(numbers)] for numbers in sides])
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)


def _values_legend(scale: tuple[float, float], is_complex: bool) -> Legend:
    low, high = (f"{end:.4g}" for end in scale)
    return Legend("values", heatmap.values_bar(), low, high, "magnitude" if is_complex else "")


def _difference_legend(most: float) -> Legend:
    note = "grey: equal within the tolerance"
    return Legend("differences", heatmap.differences_bar(), f"{-most:.3g}", f"+{most:.3g}", note)


def _shape(shape: Index) -> str:
    return f"({shape[0]},)" if len(shape) == 1 else f"({', '.join(map(str, shape))})"
