"""Inputs for `order_gap(x, positions, w_q, w_k, w_v, permutation)`.

Four tokens of six features and a head of width 3, as in the samples, in most cases: JAX has compiled them. Permutations
are mostly not their own inverse, so that one mistaken for the other shows.
"""

import numpy as np


def sample_cases(rng):
    yield "no positions", case(rng, 4, 6, 3, [2, 0, 3, 1], placed=False)
    yield "with positions", case(rng, 4, 6, 3, [2, 0, 3, 1])
    yield "with positions, nothing moves", case(rng, 4, 6, 3, [0, 1, 2, 3])


def hidden_cases(rng):
    yield "other tokens, no positions", case(rng, 4, 6, 3, [1, 2, 3, 0], placed=False)
    yield "a cycle of four", case(rng, 4, 6, 3, [1, 2, 3, 0])
    yield "a cycle of three, the last stays", case(rng, 4, 6, 3, [1, 2, 0, 3])
    yield "in reverse", case(rng, 4, 6, 3, [3, 2, 1, 0])
    yield "nothing moves, no positions", case(rng, 4, 6, 3, [0, 1, 2, 3], placed=False)
    yield "the same token everywhere", same_token(rng)
    yield "one token", case(rng, 1, 6, 3, [0])
    yield "two tokens swapped", case(rng, 2, 6, 3, [1, 0])
    yield "two features, a head of width one", case(rng, 4, 2, 1, [3, 0, 1, 2])
    yield "every size equal", case(rng, 4, 4, 4, [2, 3, 1, 0])
    yield "a head wider than the model", case(rng, 4, 3, 8, [2, 0, 3, 1])
    yield "seven tokens in any order", case(rng, 7, 6, 3, rng.permutation(7))
    yield "large scores", large_scores(rng)


def case(rng, T, d_model, D, permutation, placed=True):
    drawn = rng.normal(size=(2, T, d_model)).astype(np.float32)
    weights = rng.normal(scale=1.5 / d_model**0.5, size=(3, d_model, D)).astype(np.float32)
    return {
        "x": drawn[0],
        "positions": drawn[1] if placed else None,
        "w_q": weights[0],
        "w_k": weights[1],
        "w_v": weights[2],
        "permutation": np.array(permutation, dtype=np.int32),
    }


def same_token(rng):
    inputs = case(rng, 4, 6, 3, [2, 0, 3, 1])
    inputs["x"][:] = inputs["x"][0]
    return inputs


def large_scores(rng):
    """One feature makes scores of up to 148 and down to -148, in the same row and in different ones."""
    inputs = case(rng, 4, 6, 3, [3, 0, 1, 2])
    inputs["x"][:, 0], inputs["positions"][:, 0] = [16, 4, 1, -16], 0
    inputs["w_q"][0], inputs["w_k"][0] = [1, 0, 0], [1, 0, 0]
    inputs["w_q"][1:, 0], inputs["w_k"][1:, 0], inputs["w_v"][0] = 0, 0, 0.1
    return inputs
