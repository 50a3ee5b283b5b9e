"""Inputs for `learned_pos_embed_forward(seed, T, d_model)`.

JAX compiles once for each shape, so the hidden cases mostly ask for shapes that the sample cases have compiled
already, with other seeds. Six shapes in all.
"""


# Outputs cannot tell whether the table has another name, or more rows than it should.
MODULE = """
from provided.watch import watch
module = watch(learned_pos_embed_forward, seed, 4, 3)
module.parameters()
module.output_with(pos_embed=table)
"""
ABOUT = """The module must have one parameter: `pos_embed`, float32, of shape `(max_T, d_model)` = (32, 3). And its output
must come from it: with another table for `pos_embed`, the module returns the first rows of that."""


def of_module(rng, seed):
    return script(MODULE, seed=seed, table=rng.standard_normal((32, 3)).astype("float32"))


def sample_cases(rng):
    yield "four positions of three features", {"seed": 0, "T": 4, "d_model": 3}
    yield "a single position", {"seed": 7, "T": 1, "d_model": 8}
    yield "six positions of eight features", {"seed": 42, "T": 6, "d_model": 8}
    yield "the module itself", of_module(rng, 0), {"message": ABOUT}


def hidden_cases(rng):
    yield "the smallest sample with another seed", {"seed": 1, "T": 4, "d_model": 3}
    yield "a single position with another seed", {"seed": 2024, "T": 1, "d_model": 8}
    yield "the largest seed of 31 bits", {"seed": 2**31 - 1, "T": 4, "d_model": 3}
    yield "the whole table, T = max_T", {"seed": 5, "T": 32, "d_model": 3}
    yield "more positions and features than before", {"seed": int(rng.integers(1_000, 10_000)), "T": 10, "d_model": 16}
    yield "a seed nobody can guess", {"seed": int(rng.integers(10_000, 1_000_000)), "T": 6, "d_model": 8}
    yield "two features", {"seed": int(rng.integers(1_000, 100_000)), "T": 4, "d_model": 2}
    yield "the module with another table", of_module(rng, int(rng.integers(1_000_000))), {"message": ABOUT}
