"""What a framework is to Lectern: all that differs between them, in one record, a file each beside this one.

The judge outside and the box inside read the same record. Its functions are called in the box alone, which has the
framework; nothing here imports one when it is read.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


class CannotCross(ValueError):
    """A value of the framework's that is nothing the wall lets through; the text names it: “a masked array”."""


def _nothing() -> None:
    pass


def _as_it_is(array: Any) -> Any:
    return array


def _not_mine(value: Any) -> Any:
    return NotImplemented


@dataclass(frozen=True)
class Framework:
    """`name` is what exercise.toml, the API and the database call it, `title` what a page does.

    `imports` are made by the zygote, where no thread may start; `settle` runs there after them, `wake` in each box,
    behind its walls. `arrive` makes a plain NumPy array the framework's own, and `leave` makes a value a plain array of
    its own memory, returns NotImplemented for a value that is not the framework's, and raises CannotCross. `load` is
    told, before a module is loaded, whether its signature declares 64-bit numbers.

    `short`, `integers`, `make`, `nn` and `instead` are for sentences about errors: how code calls the framework, casts
    to whole numbers, makes an array, imports its layers; and what to write for a name that one of its modules lacks.
    """

    name: str
    title: str
    imports: tuple[str, ...]
    releases: tuple[str, ...]  # the packages whose releases may change an answer
    parked: tuple[int, int]  # the fewest and the most boxes that wait
    arrive: Callable[[Any], Any] = _as_it_is
    leave: Callable[[Any], Any] = _not_mine
    settle: Callable[[], None] = _nothing
    wake: Callable[[], None] = _nothing
    load: Callable[[bool], None] = lambda wide: None
    compiles: bool = False  # its boxes make an exercise's library calls ahead (boxes/warmth.py)
    short: str = "np"
    integers: str = "x.astype(np.int64)"
    make: str = "np.array(…)"
    nn: str = "flax.linen"
    instead: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
