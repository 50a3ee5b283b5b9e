"""Inputs for `embedding_gradient(ids, upstream, max_len)`.

In the samples the gradients are 1, 10, 100, … times (1, 2, …), so a sum tells which of them it is made of. Most hidden
cases have the shape of a sample, which JAX has compiled already.
"""

import numpy as np


def sample_cases(rng):
    yield "every id once", {"ids": ids([[2, 0, 1]]), "upstream": readable(1, 3, 2), "max_len": 5}
    yield "an id that repeats", {"ids": ids([[1, 3, 1]]), "upstream": readable(1, 3, 2), "max_len": 5}
    shared = ids([[0, 1, 2], [2, 2, 4]])
    yield "two sequences that share ids", {"ids": shared, "upstream": readable(2, 3, 4), "max_len": 5}


def hidden_cases(rng):
    yield "the positions of two full sequences", case(rng, [[0, 1, 2], [0, 1, 2]], 4, 5)
    yield "the same id everywhere", case(rng, [[3, 3, 3], [3, 3, 3]], 4, 5)
    yield "the first and the last row", case(rng, [[0, 4, 0], [4, 4, 0]], 4, 5)
    yield "backwards", case(rng, [[4, 3, 2], [2, 1, 0]], 4, 5)
    yield "drawn ids", case(rng, rng.integers(0, 5, (2, 3)), 4, 5)
    yield "a single token", case(rng, [[4]], 2, 5)
    yield "a table of one row", case(rng, np.zeros((2, 3)), 4, 1)
    yield "one feature", case(rng, rng.integers(0, 5, (2, 3)), 1, 5)
    yield "every dimension equal", case(rng, rng.integers(0, 4, (4, 4)), 4, 4)
    yield "many rows, few used", case(rng, rng.integers(0, 60, (2, 3)), 4, 60)
    yield "many tokens, few rows", case(rng, rng.integers(0, 3, (4, 12)), 2, 3)
    yield "large gradients", case(rng, rng.integers(0, 5, (2, 3)), 4, 5, scale=1000)


def case(rng, places, d_model, max_len, scale=1):
    places = ids(places)
    upstream = scale * rng.standard_normal((*places.shape, d_model))
    return {"ids": places, "upstream": upstream.astype(np.float32), "max_len": max_len}


def ids(places):
    return np.array(places, dtype=np.int32)


def readable(N, T, d_model):
    """1, 10, 100, … times (1, 2, …), one power for each token."""
    powers = 10.0 ** np.arange(N * T).reshape(N, T, 1)
    return (powers * np.arange(1, d_model + 1)).astype(np.float32)
