"""Inputs for `rotate_halves(x, positions, rotary_dim, base)`.

In the first sample every pair is (1, 0) and becomes (cos, sin); the columns that stay hold 7 and 8. Most hidden cases
have the shape (2, 3, 4, 8), which JAX has compiled by then.
"""

import numpy as np


def sample_cases(rng):
    yield "pairs of one and zero", case([[[[1, 1, 0, 0, 7, 8]] * 3]], [0, 1, 2], 4, 100.0)
    yield "all columns turn", case(vectors(rng, 2, 3, 4, 8), [0, 1, 2, 3], 8, 10000.0)
    yield "half of the columns turn", case(vectors(rng, 2, 3, 4, 8), [5, 2, 5, 0], 4, 10000.0)


def hidden_cases(rng):
    yield "all columns, counting up", case(vectors(rng, 2, 3, 4, 8), [0, 1, 2, 3], 8, 10000.0)
    yield "all columns, running backwards", case(vectors(rng, 2, 3, 4, 8), [9, 6, 3, 0], 8, 10000.0)
    yield "a quarter of the columns", case(vectors(rng, 2, 3, 4, 8), rng.integers(1, 50, 4), 2, 10000.0)
    yield "three quarters of the columns", case(vectors(rng, 2, 3, 4, 8), rng.integers(1, 50, 4), 6, 10000.0)
    yield "repeated positions", case(vectors(rng, 2, 3, 4, 8), [7, 7, 1, 1], 4, 10000.0)
    yield "positions in the hundreds", case(vectors(rng, 2, 3, 4, 8), rng.integers(260, 500, 4), 8, 10000.0)
    yield "a large base", case(vectors(rng, 2, 3, 4, 8), rng.integers(1, 90, 4), 8, 500000.0)
    yield "a small base", case(vectors(rng, 2, 3, 4, 8), rng.integers(1, 20, 4), 6, 7.0)
    yield "large values", case(100 * vectors(rng, 2, 3, 4, 8), rng.integers(0, 50, 4), 4, 10000.0), {"atol": 2e-3}
    yield "position zero only", case(vectors(rng, 2, 3, 4, 8), [0, 0, 0, 0], 8, 10000.0)
    yield "one pair and nothing else", case(vectors(rng, 2, 1, 3, 2), rng.integers(1, 30, 3), 2, 10000.0)
    yield "one token, one head, one sentence", case(vectors(rng, 1, 1, 1, 8), rng.integers(2, 40, 1), 8, 10000.0)
    yield "an odd number of columns", case(vectors(rng, 1, 2, 3, 7), rng.integers(1, 40, 3), 4, 10000.0)
    yield "every dimension equal", case(vectors(rng, 4, 4, 4, 4), rng.integers(0, 60, 4), 4, 10000.0)


def case(x, positions, rotary_dim, base):
    x, positions = np.array(x, dtype=np.float32), np.array(positions, dtype=np.int32)
    return {"x": x, "positions": positions, "rotary_dim": rotary_dim, "base": base}


def vectors(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)
