"""Inputs for `relative_rotation(k, d_model, base)`.

Fresh cases differ in the shift and the base, and hardly in the shape, which JAX would have to compile.
"""


def sample_cases(rng):
    yield "one position further", {"k": 1, "d_model": 4, "base": 10000.0}
    yield "two positions back, another base", {"k": -2, "d_model": 6, "base": 50.0}
    yield "no shift at all", {"k": 0, "d_model": 4, "base": 10000.0}


def hidden_cases(rng):
    yield "a drawn shift and base", {"k": int(rng.integers(2, 60)), "d_model": 6, "base": drawn(rng)}
    yield "a drawn shift back", {"k": -int(rng.integers(3, 60)), "d_model": 6, "base": drawn(rng)}
    yield "one position back", {"k": -1, "d_model": 4, "base": drawn(rng)}
    yield "a single pair", {"k": int(rng.integers(2, 200)), "d_model": 2, "base": drawn(rng)}
    yield "a far shift", {"k": int(rng.integers(100, 200)), "d_model": 4, "base": drawn(rng)}
    yield "the default base, one further", {"k": 1, "d_model": 6, "base": 10000.0}
    yield "no shift, another base", {"k": 0, "d_model": 6, "base": 300.0}
    yield "a small base", {"k": 5, "d_model": 4, "base": round(float(rng.uniform(2, 9)), 3)}
    yield "sixteen pairs", {"k": int(rng.integers(2, 60)), "d_model": 32, "base": drawn(rng)}


def drawn(rng):
    return round(float(rng.uniform(20, 5000)), 2)
