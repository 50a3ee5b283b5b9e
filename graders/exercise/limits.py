"""What one submission may use, and how close its numbers must be."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

MAX_THREADS = 64  # of a box, including its framework's; JAX alone starts 16


@dataclass(frozen=True)
class Limits:
    """What one submission may use. `wall_seconds` and `cpu_seconds` bound each call, and loading the module. `threads`
    are its own, in addition to its framework's."""

    wall_seconds: float = 5.0
    cpu_seconds: float = 5.0
    total_seconds: float = 15.0
    memory_mb: int = 1024
    output_kb: int = 1024
    threads: int = MAX_THREADS


# What an operator grants at most, by default (app/settings.py).
CEILINGS = Limits(wall_seconds=30.0, cpu_seconds=30.0, total_seconds=120.0, memory_mb=4096, output_kb=64 << 10)


@dataclass(frozen=True)
class Tolerance:
    """|actual - expected| <= atol + rtol * |expected|, elementwise (numpy.isclose)."""

    rtol: float = 1e-6
    atol: float = 1e-6
    outputs: Mapping[str, "Tolerance"] = field(default_factory=dict)  # of single outputs: "0" of a tuple, or a key

    def of(self, key: Any) -> "Tolerance":
        """The tolerance of one item of the value returned."""
        return self.outputs.get(str(key)) or (Tolerance(self.rtol, self.atol) if self.outputs else self)
