"""ALiBi: one slope a head, and the bias −m·|i − j| that each head adds to its scores.

The slopes are those of Press, Smith and Lewis (ICLR 2022, arXiv:2108.12409), section 3; for head counts that are no
power of two, those of `get_slopes` in the code that they published with it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.content.labs.drawing import Array, HeatMap, heat_map
from app.content.labs.kind import LabKind, Option


@dataclass(frozen=True)
class Fan:
    slopes: tuple[float, ...]
    head: int
    bias: HeatMap
    end: str
    alternative: str
    reading: tuple[str, ...]


def draw(options: Mapping[str, int]) -> Fan:
    heads, head, length = options["heads"], min(options["head"], options["heads"]), options["length"]
    slope = slopes(heads)[head - 1]
    return Fan(
        slopes(heads),
        head,
        heat_map(
            bias(slope, length),
            (length - 1) * max(slopes(heads)),
            f"Heat map of what head {head} adds to the scores of {length} queries, one per row, and {length} keys, one"
            " per column: zero on the diagonal, further and further below zero to its left, empty to its right.",
        ),
        six(-(length - 1) * max(slopes(heads))),
        f"{heads} straight lines, one per head, from zero at distance 0: the bias falls with the distance, steeply for"
        " the first head and hardly at all for the last.",
        reading(length - 1, length // 2, heads, head),
    )


def slopes(heads: int) -> tuple[float, ...]:
    """One slope a head: 2^(−8h/n) for h = 1 … n where n is a power of two, and the authors' rule elsewhere."""
    exponents = (exponent(h, heads) for h in range(1, heads + 1))
    return tuple(2 ** (-numerator / denominator) for numerator, denominator in exponents)


def exponent(h: int, heads: int) -> tuple[int, int]:
    """(8h, n) of the slope 2^(−8h/n) of head h.

    With `power` the largest power of two up to `heads`, the first heads have the slopes of `power` heads, and the
    others every second slope of twice as many, beginning with the first.
    """
    power = 1 << heads.bit_length() - 1
    return (8 * h, power) if h <= power else (8 * (2 * (h - power) - 1), 2 * power)


def bias(slope: float, length: int) -> Array:
    """(length, length): −slope·|i − j| for each query i and key j ≤ i; zero above, where the causal mask hides all."""
    i, j = np.arange(length)[:, None], np.arange(length)[None, :]
    return np.where(j <= i, -slope * np.abs(i - j), 0.0)


def reading(i: int, j: int, heads: int, head: int) -> tuple[str, ...]:
    numerator, denominator = exponent(head, heads)
    slope = slopes(heads)[head - 1]
    added = f"−{six(slope)} · |{i} − {j}| = {six(-slope * abs(i - j))}"
    return (
        f"head {head} of {heads}: m = 2^(−{numerator}/{denominator}) = {six(slope)}",
        f"query {i}, key {j}: " + (added if j <= i else "hidden by the causal mask"),
    )


def six(value: float) -> str:
    """`−0.625`: six significant figures at most, enough for every power of two among the slopes."""
    return f"{value:.6g}".replace("-0", "-0" if value else "0").replace("-", "−")


ALIBI_SLOPES = LabKind(
    "alibi-slopes",
    (
        Option("heads", 8, range(1, 33), "heads"),
        Option("head", 3, range(1, 33), "head shown"),
        Option("length", 16, range(8, 65, 8), "tokens"),
    ),
    draw,
)
