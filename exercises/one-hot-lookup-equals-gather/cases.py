"""Inputs for `one_hot_lookup(ids, table)`.

Most cases have two sentences of three tokens and a table of five rows and four columns, which JAX has compiled. Ids
outside the table are in the samples already: below zero, and past the last row.
"""

import numpy as np


def sample_cases(rng):
    yield "ids inside the table", case([[2, 0, 1], [4, 4, 3]], table(rng, 5, 4))
    yield "padded with -1", case([[3, 1, -1], [0, -1, -1]], table(rng, 5, 4))
    yield "past the last row", case([[4, 5, 0], [6, 1, 100]], table(rng, 5, 4))


def hidden_cases(rng):
    yield "ids out of order", case([[3, 1, 3], [0, 2, 4]], table(rng, 5, 4))
    yield "drawn ids, inside", case(rng.integers(0, 5, (2, 3)), table(rng, 5, 4))
    yield "drawn ids, some outside", case(rng.integers(-3, 8, (2, 3)), table(rng, 5, 4))
    yield "every id the same", case([[2, 2, 2], [2, 2, 2]], table(rng, 5, 4))
    yield "all outside", case(np.full((2, 3), -1), table(rng, 5, 4))
    yield "far below zero", case([[-5, -6, 0], [-2, -1000, 4]], table(rng, 5, 4))
    yield "one token", case([[int(rng.integers(0, 5))]], table(rng, 5, 4))
    yield "a table of one row", case([[0, 1, 0], [-1, 0, 0]], table(rng, 1, 4))
    yield "one column", case([[3, 0, 5], [1, 4, -1]], table(rng, 5, 1))
    yield "every size equal", case(rng.integers(0, 4, (4, 4)), table(rng, 4, 4))
    yield "large values", case([[0, 1, 2], [3, 4, 5]], 1000 * table(rng, 5, 4))
    ids = rng.integers(0, 300, (2, 3))
    ids[0, 0], ids[1, 2] = 299, 300
    yield "a long table", case(ids, table(rng, 300, 4))


def case(ids, table):
    return {"ids": np.array(ids, dtype=np.int32), "table": table}


def table(rng, V, D):
    return rng.standard_normal((V, D)).astype(np.float32)
