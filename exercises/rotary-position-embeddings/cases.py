"""Inputs for `rotary_position_embeddings(x, positions, base)`.

The first sample shows the angles themselves: every pair is (1, 0), so that it becomes (cos, sin). Most hidden cases
have the shape (2, 3, 4), which JAX has compiled by then. The script asks whether `x` is still what it was.
"""

import numpy as np

KEPT = """
rotary_position_embeddings(x, positions, base)
x
"""


def sample_cases(rng):
    yield "one vector at three positions", case([[[1, 0, 1, 0]] * 3], [[0, 1, 2]], 100.0)
    yield "two sentences, the second starts later", case(vectors(rng, 2, 3, 4), [[0, 1, 2], [5, 6, 7]], 10000.0)
    yield "positions out of order and repeated", case(vectors(rng, 2, 3, 6), [[4, 1, 4], [3, 2, 0]], 10000.0)


def hidden_cases(rng):
    yield "counting up", case(vectors(rng, 2, 3, 4), [[0, 1, 2], [0, 1, 2]], 10000.0)
    yield "running backwards", case(vectors(rng, 2, 3, 4), [[9, 8, 7], [2, 1, 0]], 10000.0)
    yield "repeated positions", case(vectors(rng, 2, 3, 4), [[3, 3, 3], [0, 5, 5]], 10000.0)
    yield "a large base", case(vectors(rng, 2, 3, 4), rng.integers(40, 90, (2, 3)), 500000.0)
    yield "a small base", case(vectors(rng, 2, 3, 4), rng.integers(1, 20, (2, 3)), 7.0)
    yield "positions in the hundreds", case(vectors(rng, 2, 3, 4), rng.integers(260, 500, (2, 3)), 10000.0)
    yield "position zero only", case(vectors(rng, 2, 3, 4), np.zeros((2, 3)), 10000.0)
    yield "large values", case(100 * vectors(rng, 2, 3, 4), rng.integers(0, 50, (2, 3)), 10000.0), {"atol": 2e-3}
    yield "one pair", case(vectors(rng, 3, 4, 2), rng.integers(1, 30, (3, 4)), 10000.0)
    yield "one token in one sentence", case(vectors(rng, 1, 1, 8), rng.integers(2, 40, (1, 1)), 10000.0)
    yield "three pairs", case(vectors(rng, 2, 5, 6), rng.integers(0, 60, (2, 5)), 1000.0)
    yield "every dimension equal", case(vectors(rng, 4, 4, 4), rng.integers(0, 60, (4, 4)), 10000.0)
    yield "many pairs", case(vectors(rng, 1, 4, 32), rng.integers(1, 60, (1, 4)), 10000.0)
    yield "x afterwards", script(KEPT, **case(vectors(rng, 2, 3, 4), rng.integers(1, 60, (2, 3)), 10000.0))


def case(x, positions, base):
    return {"x": np.array(x, dtype=np.float32), "positions": np.array(positions, dtype=np.int32), "base": base}


def vectors(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)
