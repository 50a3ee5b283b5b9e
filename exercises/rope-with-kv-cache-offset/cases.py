"""Inputs for `rope_with_cache(q, k, cached_keys, base)`.

In the first sample the cache holds the vector (1, 0) at positions 0 and 1. Elsewhere it holds random numbers, since it
is only copied. Most hidden cases have the sizes of the second sample, which JAX has compiled by then.
The script asks whether the arguments are still what they were.
"""

import numpy as np

KEPT = """
rope_with_cache(q, k, cached_keys, base)
(q, k, cached_keys)
"""


def sample_cases(rng):
    one = np.array([[[[1, 0]]]], dtype=np.float32)
    cache = np.array([[[[1, 0], [np.cos(1), np.sin(1)]]]], dtype=np.float32)
    yield "one token after two", {"q": one, "k": one, "cached_keys": cache, "base": 10000.0}
    yield "two tokens after five", case(rng, 1, 3, 5, 2, 4)
    yield "four tokens after three, two sentences", case(rng, 2, 1, 3, 4, 6)


def hidden_cases(rng):
    yield "two other tokens after five", case(rng, 1, 3, 5, 2, 4)
    yield "the arguments afterwards", script(KEPT, **case(rng, 1, 3, 5, 2, 4))
    yield "a large base", case(rng, 1, 3, 5, 2, 4, base=500000.0)
    yield "a small base", case(rng, 1, 3, 5, 2, 4, base=5.0)
    yield "large values", case(rng, 1, 3, 5, 2, 4, scale=100.0), {"atol": 2e-3}
    yield "an empty cache", case(rng, 1, 3, 0, 2, 4)
    yield "an empty cache and one token", case(rng, 2, 1, 0, 1, 4)
    yield "one token after one", case(rng, 1, 1, 1, 1, 4)
    yield "one token after a long text", case(rng, 1, 2, 90, 1, 4)
    yield "as many new tokens as cached ones", case(rng, 2, 3, 4, 4, 6)
    yield "more new tokens than cached ones", case(rng, 1, 2, 2, 7, 6)
    yield "one pair", case(rng, 2, 3, 5, 2, 2)
    yield "every dimension equal", case(rng, 4, 4, 4, 4, 4)
    yield "the arguments afterwards, an empty cache", script(KEPT, **case(rng, 1, 3, 0, 2, 4))


def case(rng, N, H, S, T, d, base=10000.0, scale=1.0):
    def vectors(*shape):
        return (scale * rng.standard_normal(shape)).astype(np.float32)

    return {"q": vectors(N, H, T, d), "k": vectors(N, H, T, d), "cached_keys": vectors(N, H, S, d), "base": base}
