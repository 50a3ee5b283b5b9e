"""Inputs for `resize_table(table, new_len, align_corners)`.

In the samples a row's first number is ten times its place, so an answer shows between which rows it lies. Hidden cases
mostly go from 5 rows to 8 or from 6 to 4, as the samples do; the others have lengths at which a formula breaks.
"""

import numpy as np


def sample_cases(rng):
    yield "three rows to five, corners aligned", case(readable_table(3, 2), 5, True)
    yield "three rows to five, corners not aligned", case(readable_table(3, 2), 5, False)
    yield "five rows to eight, corners aligned", case(readable_table(5, 4), 8, True)
    yield "six rows to four, corners not aligned", case(readable_table(6, 3), 4, False)


def hidden_cases(rng):
    yield "longer, aligned", case(table(rng, 5, 4), 8, True)
    yield "longer, not aligned", case(table(rng, 5, 4), 8, False)
    yield "shorter, aligned", case(table(rng, 6, 3), 4, True)
    yield "shorter, not aligned", case(table(rng, 6, 3), 4, False)
    yield "the same length, aligned", case(table(rng, 5, 4), 5, True)
    yield "the same length, not aligned", case(table(rng, 5, 4), 5, False)
    yield "to a single row, aligned", case(table(rng, 5, 4), 1, True)
    yield "to a single row, not aligned", case(table(rng, 5, 4), 1, False)
    yield "from a single row, aligned", case(table(rng, 1, 4), 3, True)
    yield "from a single row, not aligned", case(table(rng, 1, 4), 3, False)
    yield "twice as long, not aligned", case(table(rng, 4, 2), 8, False)
    yield "half as long, not aligned", case(table(rng, 8, 2), 4, False)
    yield "two rows to seven, aligned", case(table(rng, 2, 1), 7, True)
    yield "much longer, not aligned", case(table(rng, 3, 3), 40, False)
    yield "much shorter, aligned", case(table(rng, 40, 2), 3, True)
    yield "large numbers, not aligned", case(1000 * table(rng, 5, 4), 8, False)


def case(embedding_table, new_len, align_corners):
    return {"table": embedding_table, "new_len": new_len, "align_corners": align_corners}


def readable_table(max_len, d_model):
    """Row r, column c holds 10 r + c."""
    return (10.0 * np.arange(max_len)[:, None] + np.arange(d_model)).astype(np.float32)


def table(rng, max_len, d_model):
    return rng.standard_normal((max_len, d_model)).astype(np.float32)
