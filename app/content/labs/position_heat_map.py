"""The two tables of positions side by side: waves from a formula, and noise that training has yet to shape."""

from collections.abc import Mapping
from dataclasses import dataclass

from app.content.labs.drawing import HeatMap, digits, heat_map
from app.content.labs.kind import LabKind, Option
from app.content.labs.table import STDDEV, random_table, sinusoidal

BASES = (10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000)
MAX_LEN = Option("max_len", 64, range(8, 257, 8), "max_len")
D_MODEL = Option("d_model", 32, range(4, 129, 4), "d_model")
BASE = Option("base", 10000, BASES, "base")


@dataclass(frozen=True)
class TableMaps:
    sinusoidal: HeatMap
    learned: HeatMap
    reading: tuple[str, ...]


def draw(options: Mapping[str, int]) -> TableMaps:
    max_len, d_model, base = options["max_len"], options["d_model"], options["base"]
    size = f"{max_len} rows, one per position, by {d_model} columns"
    waves = f"Heat map of the sinusoidal table: {size}. The left columns oscillate quickly, the right ones slowly."
    noise = f"Heat map of a learned table before training: {size}. Small random numbers with no pattern."
    return TableMaps(
        heat_map(sinusoidal(max_len, d_model, base), 1, waves),
        heat_map(random_table(max_len, d_model), 3 * STDDEV, noise),
        reading(1, 0, max_len, d_model, base),
    )


def reading(pos: int, i: int, max_len: int, d_model: int, base: int) -> tuple[str, ...]:
    """What both tables hold at (pos, i), the first with its numbers put into the formula."""
    function = "cos" if i % 2 else "sin"
    computed = digits(sinusoidal(max_len, d_model, base)[pos, i])
    drawn = digits(random_table(max_len, d_model)[pos, i])
    return (
        f"PE[{pos}, {i}] = {function}({pos} / {base}^({2 * (i // 2)}/{d_model})) = {computed}",
        f"P[{pos}, {i}] = {drawn}, drawn at random",
    )


POSITION_HEAT_MAP = LabKind("position-heat-map", (MAX_LEN, D_MODEL, BASE), draw)
