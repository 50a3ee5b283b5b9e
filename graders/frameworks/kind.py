"""The differences between frameworks, as one record. Each framework has a file beside this one.

The judge outside and the box inside read the same record. Its functions are called only in the box, which has the
framework; importing these files imports no framework.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


class CannotCross(ValueError):
    """A value of the framework that the wall does not let through. The text names it: “a masked array”."""


def _nothing() -> None:
    pass


def _nothing_to_seed(number: int) -> None:
    pass


def _as_it_is(array: Any) -> Any:
    return array


def _not_mine(value: Any) -> Any:
    return NotImplemented


@dataclass(frozen=True)
class Framework:
    """`name` is used in exercise.toml, the API and the database; `title` on pages.

    The zygote imports `imports` and then runs `settle`; neither may start a thread. Each box runs `wake` behind its
    walls. `arrive` turns a plain NumPy array into the framework's own. `leave` turns a value into a plain array with
    memory of its own. It returns NotImplemented for a value that is not the framework's, and raises CannotCross. `load`
    runs before a module is loaded; its argument says whether the signature declares 64-bit numbers.

    `seed` seeds the random numbers that it draws without being given a generator, if it is imported.

    `array`, `short`, `integers`, `make`, `nn` and `instead` are for sentences: what its arrays are called; how code
    calls the framework, casts to whole numbers, makes an array, imports its layers; and what to write instead of a name
    that a module lacks.
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
    seed: Callable[[int], None] = _nothing_to_seed
    boxes: str = ""  # the framework whose boxes serve it too; "" for boxes of its own
    has_arrays: bool = True  # else no argument and no answer of its exercises is an array
    compiles: bool = False  # its boxes make an exercise's library calls ahead (boxes/warmth.py)
    array: str = "a NumPy array"
    short: str = "np"
    integers: str = "x.astype(np.int64)"
    make: str = "np.array(…)"
    nn: str = "flax.linen"
    instead: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
