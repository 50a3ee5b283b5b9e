"""x86-64 with control groups v2: Debian's own kernel, as root and as an ordinary user."""

import pytest

from . import claims
from .image import AMD64, USER
from .machine import Machine

KIND = AMD64
USERS = pytest.mark.parametrize("user", ["root", USER])


@USERS
def test_every_wall_is_up(machine: Machine, user: str, note: list[str]) -> None:
    note.append(claims.every_wall_is_up(machine, user))


@USERS
@pytest.mark.parametrize("framework", ["numpy", "jax", "torch"])
def test_a_solution_is_accepted(machine: Machine, user: str, framework: str, note: list[str]) -> None:
    solution = f"exercises/softmax-rows/solutions/{framework}.py"
    note.append(claims.a_solution_is_accepted(machine, user, "softmax-rows", solution, framework))


@USERS
def test_each_wall_stops_its_attack_alone(machine: Machine, user: str, note: list[str]) -> None:
    note.append(
        claims.tests_pass(machine, user, "tests/graders/test_walls.py", "tests/graders/test_cgroups.py", without="")
    )


@USERS
def test_shared_futexes_are_made_private(machine: Machine, user: str, note: list[str]) -> None:
    note.append(claims.tests_pass(machine, user, "tests/graders/test_futexes.py", without=""))


@USERS
def test_nothing_of_the_corpus_escapes(machine: Machine, user: str, note: list[str]) -> None:
    note.append(claims.tests_pass(machine, user, "tests/graders/test_hostile.py", "-k", "esc-", without=""))
