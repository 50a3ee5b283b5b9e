"""Inputs for `layer_norm(x, scale, shift, eps)`.

A large eps shows where it was added. Tokens of very different mean and spread show over which axes the statistics were
taken. Scale and shift differ from feature to feature, so that a forgotten, swapped or reversed one shows.
"""

import numpy as np


def sample_cases(rng):
    yield "two tokens of two features", case([[[1, 3], [5, 9]]], [2, 1], [0, 10], 1e-5)
    x = [[[0, 1, 2, 3], [10, 10, 10, 14], [-1, 0, 0, 1]], [[2, 2, 4, 4], [1, -1, 1, -1], [0, 0, 0, 8]]]
    yield "two sequences of three tokens", case(x, [1, 1, 2, 0.5], [0, 1, 0, -1], 1e-5)
    yield "a large eps", case([[[3, 1, -1, -3]]], [1, 1, 1, 1], [0, 0, 0, 0], 4.0)


def hidden_cases(rng):
    yield "tokens of different size and place", drawn(rng, 2, 3, 4)
    yield "another eps", drawn(rng, 2, 3, 4, eps=0.7)
    yield "small numbers, beside which eps is large", drawn(rng, 2, 3, 4, spread=0.003)
    yield "one token of one sequence", drawn(rng, 1, 1, 6)
    yield "as many tokens as features", drawn(rng, 1, 4, 4)
    yield "every size equal", drawn(rng, 3, 3, 3)
    yield "two features", drawn(rng, 2, 3, 2)
    yield "one feature", drawn(rng, 2, 3, 1)
    far = 200 + rng.standard_normal((2, 3, 64))
    yield "far from zero", case(far, 1 + 0.3 * rng.standard_normal(64), rng.standard_normal(64), 1e-5)
    equal = rng.integers(-5, 6, (2, 3, 1)) * np.ones(4)
    yield "features all equal", case(equal, rng.standard_normal(4), rng.standard_normal(4), 1e-5)
    yield "large numbers", drawn(rng, 2, 3, 4, spread=1e4)
    yield "many features", drawn(rng, 1, 2, 200, eps=0.1)


def drawn(rng, B, T, D, eps=1e-5, spread=1.0):
    x = rng.standard_normal((B, T, D)) * rng.uniform(0.5, 3, (B, T, 1)) + rng.uniform(-2, 2, (B, T, 1))
    return case(spread * x, rng.uniform(0.5, 2, D) * rng.choice([-1, 1], D), rng.standard_normal(D), eps)


def case(x, scale, shift, eps):
    x, scale, shift = (np.array(values, dtype=np.float32) for values in (x, scale, shift))
    return {"x": x, "scale": scale, "shift": shift, "eps": eps}
