"""Dot products between positions: a band of one width for the sinusoids, noise for a table drawn at random."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.content.labs.drawing import Array, HeatMap, digits, heat_map
from app.content.labs.kind import LabKind, Option
from app.content.labs.position_heat_map import BASE, D_MODEL
from app.content.labs.table import random_table, sinusoidal

MAX_LEN = Option("max_len", 32, range(8, 65, 8), "max_len")
COSINE = Option("cosine", 0, range(2), "divide by both lengths (cosine)")
START = (2, 5)


@dataclass(frozen=True)
class SimilarityMaps:
    sinusoidal: HeatMap
    learned: HeatMap
    ends: tuple[str, str]
    learned_ends: tuple[str, str]
    distance_percent: float
    reading: tuple[str, ...]


def draw(options: Mapping[str, int]) -> SimilarityMaps:
    max_len, d_model, base, cosine = (options[name] for name in ("max_len", "d_model", "base", "cosine"))
    waves, noise = tables(max_len, d_model, base)
    scales = (1.0, 1.0) if cosine else (d_model / 2, float(similarity(noise, cosine).max()))
    size = f"{max_len} by {max_len} positions"
    return SimilarityMaps(
        heat_map(
            similarity(waves, cosine),
            scales[0],
            f"Heat map of the sinusoids' similarity, {size}: bands along"
            " the diagonal, each the same colour from end to end.",
        ),
        heat_map(
            similarity(noise, cosine),
            scales[1],
            f"Heat map of a random table's similarity, {size}: the diagonal stands out, the rest is noise.",
        ),
        ends(scales[0]),
        ends(scales[1]),
        100 * abs(START[0] - START[1]) / max_len,
        reading(*START, max_len, d_model, base, cosine),
    )


def tables(max_len: int, d_model: int, base: int) -> tuple[Array, Array]:
    return sinusoidal(max_len, d_model, base), random_table(max_len, d_model)


def similarity(table: Array, cosine: int) -> Array:
    """table: (max_len, d_model) → (max_len, max_len) dot products, of unit vectors if `cosine`."""
    lengths = np.linalg.norm(table, axis=1, keepdims=True) if cosine else 1.0
    unit = table / lengths
    return np.asarray(unit @ unit.T)


def reading(a: int, b: int, max_len: int, d_model: int, base: int, cosine: int) -> tuple[str, ...]:
    """The similarity of the positions a and b in both tables, and the range over all pairs as far apart."""
    return tuple(
        _line(name, similarity(table, cosine), a, b, cosine)
        for name, table in zip(("PE", "P"), tables(max_len, d_model, base), strict=True)
    )


def _line(name: str, matrix: Array, a: int, b: int, cosine: int) -> str:
    same = np.diag(matrix, abs(a - b))
    pair = f"cos({name}[{a}], {name}[{b}])" if cosine else f"{name}[{a}]·{name}[{b}]"
    extent = f"{digits(same.min())} to {digits(same.max())}"
    return f"{pair} = {digits(matrix[a, b])}; all pairs {abs(a - b)} apart: {extent}"


def ends(scale: float) -> tuple[str, str]:
    """`−16.000` and `16.000`: what the two ends of the colours stand for."""
    return digits(-scale, 3), digits(scale, 3)


POSITION_SIMILARITY = LabKind("position-similarity", (MAX_LEN, D_MODEL, BASE, COSINE), draw)
