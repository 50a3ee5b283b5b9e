"""The random numbers of a box: those of Python, NumPy and torch that no program seeds itself.

A forked process begins with a copy of its zygote's generators. If they stayed as they are, all boxes would draw the
same numbers, and code that forgets to seed would look as if it were the same each time, until the zygote is started
again. So the zygote seeds them before each fork. That takes it 0.02 ms; a box, which must copy or load all that it
touches, needed 0.2.
"""

import os
import random

from graders.frameworks import BY_NAME

SEED_BYTES = 8


def seed(number: int) -> None:
    """Seed everything that is imported. The same number gives the same draws in every box."""
    random.seed(number)
    for framework in BY_NAME.values():
        framework.seed(number)


def seed_differently() -> None:
    """Have the box that is forked next draw numbers that no other box draws."""
    seed(int.from_bytes(os.urandom(SEED_BYTES), "big"))
