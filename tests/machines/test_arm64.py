"""arm64 with control groups v2, where the table of kernel calls is another one.

Without torch: its wheel for arm64 is built for CUDA, gigabytes that an emulated machine would read to import it.
"""

import pytest

from . import claims
from .image import ARM64, USER
from .machine import Machine

KIND = ARM64
USERS = pytest.mark.parametrize("user", ["root", USER])


@USERS
def test_every_wall_is_up(machine: Machine, user: str, note: list[str]) -> None:
    note.append(claims.every_wall_is_up(machine, user))


@USERS
@pytest.mark.parametrize("framework", ["numpy", "jax"])
def test_a_solution_is_accepted(machine: Machine, user: str, framework: str, note: list[str]) -> None:
    solution = f"exercises/softmax-rows/solutions/{framework}.py"
    note.append(claims.a_solution_is_accepted(machine, user, "softmax-rows", solution, framework))


@USERS
def test_each_wall_stops_its_attack_alone(machine: Machine, user: str, note: list[str]) -> None:
    chosen = ("tests/graders/test_walls.py", "tests/graders/test_cgroups.py", "tests/graders/test_seccomp.py")
    note.append(claims.tests_pass(machine, user, *chosen, without="torch"))


@USERS
def test_shared_futexes_are_made_private(machine: Machine, user: str, note: list[str]) -> None:
    """The handler is machine code, and this is where that for arm64 is run."""
    note.append(claims.tests_pass(machine, user, "tests/graders/test_futexes.py", without=""))
