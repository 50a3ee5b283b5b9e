"""Inputs for `solve(x)`.

The samples show the whole difficulty: ordinary scores, scores whose exponentials no float64 holds, and rows of very
different size. Hidden cases repeat the shape (4, 5) with other numbers, so that an answer kept from an earlier call
is found out, and JAX compiles that shape once; the others have shapes in which a wrong axis or a dropped dimension
shows.
"""

import numpy as np


def sample_cases(rng):
    yield "two rows of three", case([[0, 1, 2], [3, 1, 1]])
    yield "scores too large for exp", case([[1000, 1001, 1002], [-1000, 0, 1000]])
    yield "four rows of five, far apart", case(rng.standard_normal((4, 5)) + [[-900.0], [0.0], [5.0], [900.0]])


def hidden_cases(rng):
    yield "four rows of five", case(rng.standard_normal((4, 5)))
    yield "four other rows of five", case(3 * rng.standard_normal((4, 5)))
    yield "a wide range in each row", case(rng.uniform(-400, 400, (4, 5)))
    yield "as many rows as columns", case(rng.standard_normal((3, 3)))
    yield "one row", case(rng.standard_normal((1, 6)))
    yield "one column", case([[0.5], [-2.0], [0.0], [700.0], [3.25]])
    yield "more rows than columns", case(2 * rng.standard_normal((7, 2)))
    yield "all scores equal", case(np.full((2, 3), 0.1))
    yield "rows far apart", case(rng.standard_normal((4, 5)) + rng.uniform(-900, 900, (4, 1)))
    yield "all scores far below zero", case(-745.0 + rng.standard_normal((4, 5)))
    yield "many digits, near 700", case(rng.uniform(698, 702, (4, 5)))
    yield "a score that takes nearly everything", case([[0, 0, 40], [-30, 0, 0], [20, -20, 20]])
    masked = rng.standard_normal((4, 5))
    masked[0, 3:], masked[1, 4:], masked[2, 0] = -np.inf, -np.inf, -np.inf
    yield "masked scores", case(masked)
    yield "a long row", case(rng.standard_normal((2, 300)))


def case(x):
    return {"x": np.array(x, dtype=np.float64)}
