"""What one submission may use, and how close its numbers must be."""

from dataclasses import dataclass

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
