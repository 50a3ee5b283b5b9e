"""Rotary position embedding: query and key turned in their planes, and the score that only sees the difference.

The pairs are neighbouring columns and the angles m·base^(−2i/d), as in Su and others 2021 (arXiv:2104.09864),
section 3.2, equations 14 to 16, and 34, with i from 0.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from app.content.labs.drawing import digits
from app.content.labs.kind import LabKind, Option
from app.content.labs.position_heat_map import BASES

Vector = tuple[float, ...]
QUERY: Vector = (0.9, 0.4, 0.3, 0.8)
KEY: Vector = (0.6, -0.5, 0.9, 0.2)
POSITIONS = range(33)


@dataclass(frozen=True)
class Arrow:
    name: str
    x: float
    y: float
    from_x: float
    from_y: float


@dataclass(frozen=True)
class Plane:
    number: int
    arrows: tuple[Arrow, Arrow]
    alternative: str


@dataclass(frozen=True)
class Planes:
    planes: tuple[Plane, ...]
    reading: tuple[str, ...]


def draw(options: Mapping[str, int]) -> Planes:
    m, n, base = options["m"], options["n"], options["base"]
    turned = rotate(QUERY, m, base), rotate(KEY, n, base)
    return Planes(tuple(_plane(i, *turned, base) for i in range(len(QUERY) // 2)), reading(m, n, base))


def rotate(vector: Vector, position: int, base: float) -> Vector:
    """The vector with its i-th pair turned anticlockwise by position·base^(−2i/d)."""
    turned: list[float] = []
    for i in range(0, len(vector), 2):
        angle = position * base ** (-i / len(vector))
        x, y = vector[i], vector[i + 1]
        turned += [x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)]
    return tuple(turned)


def reading(m: int, n: int, base: float) -> tuple[str, ...]:
    """The score as the sum of what each plane adds to it."""
    q, k = rotate(QUERY, m, base), rotate(KEY, n, base)
    parts = [q[i] * k[i] + q[i + 1] * k[i + 1] for i in range(0, len(q), 2)]
    terms = digits(parts[0]) + "".join(f" {'−' if part < 0 else '+'} {digits(abs(part))}" for part in parts[1:])
    return f"m − n = {m} − {n} = {digits(m - n, 0)}", f"R({m})q · R({n})k = {terms} = {digits(sum(parts))}"


def _plane(i: int, q: Vector, k: Vector, base: float) -> Plane:
    arrows = tuple(
        Arrow(name, turned[2 * i], turned[2 * i + 1], start[2 * i], start[2 * i + 1])
        for name, turned, start in (("q", q, QUERY), ("k", k, KEY))
    )
    step = digits(base ** (-2 * i / len(QUERY)))
    words = f"Plane {i}: query and key as arrows from the centre, each turned by {step} radians for every position."
    return Plane(i, (arrows[0], arrows[1]), words)


ROTATION = LabKind(
    "rotation",
    (
        Option("m", 5, POSITIONS, "m (query)"),
        Option("n", 2, POSITIONS, "n (key)"),
        Option("base", 100, BASES, "base"),
    ),
    draw,
)
