"""Inputs for `alibi_slopes(n_heads)`.

The only input is a whole number, and of small ones there are few. So some hidden cases draw it, and ask for some of the
slopes: JAX then meets no new shape in what it returns.
"""

import numpy as np

SOME_SLOPES = """
slopes = alibi_slopes(n_heads)
len(slopes)
slopes[heads]
"""


def sample_cases(rng):
    yield "eight heads, a power of two", {"n_heads": 8}
    yield "three heads", {"n_heads": 3}
    yield "twelve heads", {"n_heads": 12}


def hidden_cases(rng):
    yield "one head", {"n_heads": 1}
    yield "two heads", {"n_heads": 2}
    yield "one more than a power of two", {"n_heads": 9}
    yield "one less than a power of two", {"n_heads": 7}
    yield "six heads", {"n_heads": 6}
    yield "an odd number", {"n_heads": 21}
    yield "sixteen heads", {"n_heads": 16}
    yield "the heads of BLOOM", {"n_heads": 112}
    yield "some slopes, few heads", some_slopes(rng, 17, 32)
    yield "some slopes, more heads", some_slopes(rng, 33, 64)
    yield "some slopes, many heads", some_slopes(rng, 65, 128)
    n_heads = 2 ** int(rng.integers(4, 8))
    heads = np.array([0, n_heads - 1, *rng.integers(0, n_heads, 6)])
    yield "some slopes, a power of two", script(SOME_SLOPES, n_heads=n_heads, heads=heads)


def some_slopes(rng, least, below):
    """Of `least` to `below - 1` heads, where `below` is a power of two: the last head of each kind, and six others."""
    n_heads = int(rng.integers(least, below))
    own, between = rng.integers(0, below // 2, 3), rng.integers(below // 2, n_heads, 3)
    heads = np.array([below // 2 - 1, n_heads - 1, *own, *between])
    return script(SOME_SLOPES, n_heads=n_heads, heads=heads)
