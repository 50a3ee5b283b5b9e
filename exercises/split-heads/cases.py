"""Inputs for `split_heads(x, H)`.

In the samples a number tells where it comes from: 102.3 is sequence 1, token 2, third place. The hidden cases have
sizes in which a wrong order of axes shows, some of them with two equal sizes so that only the numbers show it.
"""

import numpy as np


def sample_cases(rng):
    yield "one sequence, two heads", {"x": readable(1, 3, 4), "H": 2}
    yield "two sequences of four tokens", {"x": readable(2, 4, 6), "H": 3}
    yield "a head that gets everything", {"x": readable(2, 3, 5), "H": 1}


def hidden_cases(rng):
    yield "two sequences, three heads", case(rng, 2, 4, 6, H=3)
    yield "one sequence", case(rng, 1, 5, 8, H=2)
    yield "one token", case(rng, 2, 1, 6, H=2)
    yield "one number for each head", case(rng, 2, 3, 4, H=4)
    yield "a single head", case(rng, 2, 4, 6, H=1)
    yield "as many heads as tokens", case(rng, 2, 3, 12, H=3)
    yield "as many heads as numbers in each", case(rng, 3, 4, 9, H=3)
    yield "every size equal", case(rng, 2, 2, 4, H=2)
    yield "one sequence, one token, one number", case(rng, 1, 1, 1, H=1)
    yield "two numbers", case(rng, 3, 5, 2, H=2)
    yield "many heads, large numbers", {"x": 1000 * numbers(rng, 2, 7, 32), "H": 8}


def case(rng, B, T, D, H):
    return {"x": numbers(rng, B, T, D), "H": H}


def numbers(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)


def readable(B, T, D):
    """Sequence b, token t, place c holds 100 b + t + (c + 1) / 10."""
    b, t, c = np.ogrid[:B, :T, :D]
    return (100 * b + t + (c + 1) / 10).astype(np.float32)
