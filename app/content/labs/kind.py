"""What a lab is made of: its options with the values they may take, and what it draws from them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

Number = TypeVar("Number", bound=float, covariant=True)


class Picture(Protocol):
    """What a lab's template draws. `reading`: the lines below the picture, with the numbers put in."""

    @property
    def reading(self) -> Sequence[str]: ...


@dataclass(frozen=True)
class Option(Generic[Number]):
    """A number with the values that its slider stops at, as an author may set and a reader may change it.

    `slides` is False for what the author alone decides. A `range` makes a slider of its numbers; other values
    (10, 30, 100, …) one of their places.
    """

    name: str
    default: Number
    values: Sequence[Number] | range
    label: str
    slides: bool = True

    @property
    def is_switch(self) -> bool:
        return self.values == range(2)

    @property
    def choices(self) -> str:
        if self.is_switch:
            return "1 for yes, 0 for no"
        if isinstance(self.values, range) and self.values.step == 1:
            return f"a whole number from {self.values[0]} to {self.values[-1]}"
        if isinstance(self.values, range):
            return f"a number from {self.values[0]} to {self.values[-1]} in steps of {self.values.step}"
        return "one of " + ", ".join(map(str, self.values))


@dataclass(frozen=True)
class Experiment:
    """What a lab has computed in a box while a reader waits: our own `source`, which a reader gives numbers only.

    It finds the parameters bound as names, and leaves what it found as `result`. `read` makes JSON for the lab's
    module of that; it raises ValueError for what these parameters cannot give.
    """

    parameters: tuple[Option[float], ...]
    source: str
    read: Callable[[Any, Mapping[str, float]], Any]


@dataclass(frozen=True)
class LabKind:
    """One sort of lab. Its template is templates/labs/NAME.html, its module static/js/labs/NAME.js."""

    name: str
    options: tuple[Option[int], ...]
    draw: Callable[[Mapping[str, int]], Picture]
    experiment: Experiment | None = None
