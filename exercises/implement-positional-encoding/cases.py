"""Inputs for `positional_encoding(max_len, d_model, base=10000.0)`.

Fresh cases differ in `base`, which changes the numbers and no shape, so JAX compiles nothing new for them. The samples
show all that is special: the default base, another base, and an odd width.
"""


def sample_cases(rng):
    yield "four positions, two pairs", {"max_len": 4, "d_model": 4}
    yield "another base", {"max_len": 6, "d_model": 8, "base": 100.0}
    yield "an odd number of columns", {"max_len": 6, "d_model": 3}


def hidden_cases(rng):
    yield "the default base, four pairs", {"max_len": 6, "d_model": 8}
    yield "a base that is drawn", {"max_len": 6, "d_model": 8, "base": drawn(rng, 20, 5000)}
    yield "a small base", {"max_len": 4, "d_model": 4, "base": drawn(rng, 2, 10)}
    yield "a very large base", {"max_len": 6, "d_model": 8, "base": drawn(rng, 200_000, 1_000_000)}
    yield "one position", {"max_len": 1, "d_model": 8}
    yield "a single pair", {"max_len": 6, "d_model": 2, "base": 500.0}
    yield "a single column", {"max_len": 6, "d_model": 1}
    yield "odd, with a drawn base", {"max_len": 6, "d_model": 3, "base": drawn(rng, 20, 5000)}
    yield "odd and square", {"max_len": 7, "d_model": 7, "base": drawn(rng, 20, 5000)}
    yield "many positions", {"max_len": 128, "d_model": 8, "base": drawn(rng, 20, 5000)}
    yield "more columns than positions", {"max_len": 3, "d_model": 64, "base": drawn(rng, 5000, 50_000)}


def drawn(rng, low, high):
    return round(float(rng.uniform(low, high)), 2)
