"""Inputs for `learned_pos_embed_forward(seed, T, d_model)`.

JAX compiles once for each shape, so the hidden cases mostly ask for shapes that the sample cases have compiled
already, with other seeds. Five shapes in all.
"""


def sample_cases(rng):
    yield "four positions of three features", {"seed": 0, "T": 4, "d_model": 3}
    yield "a single position", {"seed": 7, "T": 1, "d_model": 8}
    yield "six positions of eight features", {"seed": 42, "T": 6, "d_model": 8}


def hidden_cases(rng):
    yield "the smallest sample with another seed", {"seed": 1, "T": 4, "d_model": 3}
    yield "a single position with another seed", {"seed": 2024, "T": 1, "d_model": 8}
    yield "the largest seed of 31 bits", {"seed": 2**31 - 1, "T": 4, "d_model": 3}
    yield "the whole table, T = max_T", {"seed": 5, "T": 32, "d_model": 3}
    yield "more positions and features than before", {"seed": int(rng.integers(1_000, 10_000)), "T": 10, "d_model": 16}
    yield "a seed nobody can guess", {"seed": int(rng.integers(10_000, 1_000_000)), "T": 6, "d_model": 8}
