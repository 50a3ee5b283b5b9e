"""Inputs for `add_positions(tokens, position_table, position_ids)`.

Most cases have N = 2, T = 3, d_model = 4 and five rows, the sizes of a sample, which JAX has compiled. The widths 2 and
6 have square roots that are no whole numbers.
"""

import numpy as np


def sample_cases(rng):
    yield "ids that do not count up", case(rng, 2, 3, 4, 5, [[4, 0, 2], [0, 1, 1]])
    yield "no ids", case(rng, 2, 3, 4, 5, None)
    yield "two features, padded on the left", case(rng, 2, 3, 2, 5, [[0, 0, 1], [0, 1, 2]])


def hidden_cases(rng):
    yield "ids out of order", case(rng, 2, 3, 4, 5, [[3, 1, 0], [2, 4, 3]])
    yield "other tokens, no ids", case(rng, 2, 3, 4, 5, None)
    yield "ids running backwards", case(rng, 2, 3, 4, 5, [[2, 1, 0], [4, 3, 2]])
    yield "every id the same", case(rng, 2, 3, 4, 5, [[4, 4, 4], [4, 4, 4]])
    yield "drawn ids", case(rng, 2, 3, 4, 5, rng.integers(0, 5, (2, 3)))
    yield "one sentence, no ids", case(rng, 1, 3, 4, 5, None)
    yield "one token, the last row", case(rng, 2, 1, 4, 5, [[4], [4]])
    yield "one token, no ids", case(rng, 2, 1, 4, 5, None)
    yield "as many tokens as rows, no ids", case(rng, 2, 5, 4, 5, None)
    yield "as many sentences as tokens, no ids", case(rng, 3, 3, 6, 7, None)
    yield "as many sentences as tokens as rows", case(rng, 4, 4, 4, 4, rng.integers(0, 4, (4, 4)))
    yield "large tokens", case(rng, 2, 3, 4, 5, [[0, 1, 2], [1, 2, 3]], size=1000)
    yield "one feature", case(rng, 2, 3, 1, 5, rng.integers(0, 5, (2, 3)))
    yield "a long table", case(rng, 2, 3, 6, 300, [[299, 0, 256], [128, 127, 255]])


def case(rng, N, T, d_model, max_len, position_ids, size=1):
    return {
        "tokens": (size * rng.normal(scale=0.5, size=(N, T, d_model))).astype(np.float32),
        "position_table": rng.normal(scale=0.5, size=(max_len, d_model)).astype(np.float32),
        "position_ids": None if position_ids is None else np.array(position_ids, dtype=np.int32),
    }
