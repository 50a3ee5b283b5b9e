"""Inputs for `wavelengths(d_model, base)`.

Fresh cases differ in `base`, which changes no shape. Where the width is 2 there is nothing to draw: the answer is
always 2 pi.
"""


def sample_cases(rng):
    yield "four pairs, base 10000", {"d_model": 8, "base": 10000.0}
    yield "three pairs, base 500", {"d_model": 6, "base": 500.0}
    yield "a single pair", {"d_model": 2, "base": 10000.0}


def hidden_cases(rng):
    yield "four pairs, a drawn base", {"d_model": 8, "base": drawn(rng, 20, 5000)}
    yield "three pairs, a drawn base", {"d_model": 6, "base": drawn(rng, 20, 5000)}
    yield "three pairs, base 10000", {"d_model": 6, "base": 10000.0}
    yield "two pairs, a small base", {"d_model": 4, "base": drawn(rng, 2, 10)}
    yield "a very large base", {"d_model": 8, "base": drawn(rng, 200_000, 1_000_000)}
    yield "a single pair, another base", {"d_model": 2, "base": 77.0}
    yield "a base below one", {"d_model": 6, "base": drawn(rng, 0.2, 0.8)}
    yield "32 pairs", {"d_model": 64, "base": drawn(rng, 5000, 50_000)}
    yield "as wide as the paper's model", {"d_model": 512, "base": drawn(rng, 5000, 15_000)}


def drawn(rng, low, high):
    return round(float(rng.uniform(low, high)), 4)
