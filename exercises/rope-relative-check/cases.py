"""Inputs for `rope_relative_check(q, k, rotated_q, rotated_k, base)`.

Each case places one query and one key at all positions, in a right way or in one of several wrong ways. Most have
T = 4 and d = 6, which JAX has compiled by then.
"""

import numpy as np


def sample_cases(rng):
    one, positions = np.array([1.0, 0.0]), np.arange(2)
    yield "keys rotated, queries not", case(one, one, np.stack([one, one]), rope(one, positions, 10000.0), 10000.0)
    yield "rotated as it should be", placed(rng, rope, rope)
    yield "a random table added", placed(rng, learned(rng), learned(rng))


def hidden_cases(rng):
    yield "other numbers, rotated as they should be", placed(rng, rope, rope)
    yield "only the queries rotated", placed(rng, rope, unplaced)
    yield "only the keys rotated", placed(rng, unplaced, rope)
    yield "both turned backwards", placed(rng, backwards, backwards)
    yield "in the halves layout", placed(rng, halves, halves)
    yield "keys one position late", placed(rng, rope, late)
    yield "a table added", placed(rng, learned(rng), learned(rng))
    yield "a table added to the keys", placed(rng, rope, learned(rng))
    yield "another base than it should be", placed(rng, slow, slow)
    yield "a small base", placed(rng, halves, rope, base=9.0)
    yield "one position", placed(rng, learned(rng), learned(rng), T=1, d=4)
    yield "one pair", placed(rng, learned(rng), rope, T=3, d=2)
    yield "as many positions as columns", placed(rng, learned(rng), backwards, T=4, d=4)
    yield "large values", placed(rng, learned(rng), rope, scale=1000.0)
    yield "seven positions", placed(rng, rope, learned(rng), T=7, d=6)


def placed(rng, place_query, place_key, T=4, d=6, base=10000.0, scale=1.0):
    q, k, positions = scale * rng.standard_normal(d), scale * rng.standard_normal(d), np.arange(T)
    return case(q, k, place_query(q, positions, base), place_key(k, positions, base), base)


def case(q, k, rotated_q, rotated_k, base):
    return {"q": q, "k": k, "rotated_q": rotated_q, "rotated_k": rotated_k, "base": base}


def rope(vector, positions, base):
    """(T, d): the vector, rotated to each position."""
    d = len(vector)
    turn = np.exp(1j * positions[:, None] * base ** (-np.arange(0, d, 2) / d))  # (T, d/2) complex
    turned = (vector[0::2] + 1j * vector[1::2]) * turn
    return np.stack([turned.real, turned.imag], axis=-1).reshape(len(positions), d)


def backwards(vector, positions, base):
    return rope(vector, -positions, base)


def late(vector, positions, base):
    return rope(vector, positions + 1, base)


def slow(vector, positions, base):
    return rope(vector, positions, 50 * base)


def halves(vector, positions, base):
    d = len(vector)
    order = np.arange(d).reshape(2, d // 2).T.reshape(-1)  # 0, d/2, 1, d/2 + 1, …
    turned = np.empty((len(positions), d))
    turned[:, order] = rope(vector[order], positions, base)
    return turned


def unplaced(vector, positions, base):
    return np.tile(vector, (len(positions), 1))


def learned(rng):
    return lambda vector, positions, base: vector + rng.standard_normal((len(positions), len(vector)))
