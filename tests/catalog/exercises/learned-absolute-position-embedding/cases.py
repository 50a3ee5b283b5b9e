"""Inputs for `learned_absolute_position_embedding(positions, embedding_table)`.

In the sample cases an entry of the table tells where it comes from: 2.3 stands in row 2, third column. Half precision
holds none of those numbers and hardly any of the hidden ones, so that a table rounded to it is found out. Most hidden
cases have the shapes of the sample cases, which JAX has compiled already.
"""

import numpy as np


def sample_cases(rng):
    yield "one sentence of three tokens", case([[0, 1, 2]], readable_table(5, 4))
    yield "two sentences, the first padded on the left", case([[0, 0, 1], [0, 1, 2]], readable_table(5, 4))
    yield "out of order, repeated, up to the last row", case([[4, 2, 2], [3, 0, 4]], readable_table(5, 4))


def hidden_cases(rng):
    yield "ids out of order and repeated", case([[3, 1, 3], [0, 2, 1]], table(rng, 5, 4))
    yield "one sentence that starts in the middle", case([[2, 3, 4]], table(rng, 5, 4))
    yield "every id the same", case([[3, 3, 3], [3, 3, 3]], table(rng, 5, 4))
    yield "the first and the last row only", case([[0, 4, 0], [4, 0, 4]], table(rng, 5, 4))
    yield "packed sentences whose ids start again at zero", case([[0, 1, 0], [0, 0, 1]], table(rng, 5, 4))
    yield "ids with gaps, running backwards", case([[4, 2, 0], [3, 1, 0]], table(rng, 5, 4))
    yield "a single token, the last row", case([[4]], table(rng, 5, 4))
    yield "one feature", case(rng.integers(0, 7, (3, 4)), table(rng, 7, 1))
    yield "every dimension equal", case([[0, 1, 2, 3], [3, 2, 1, 0], [1, 1, 3, 0], [2, 0, 2, 3]], table(rng, 4, 4))
    ids = rng.integers(0, 300, (2, 6))
    ids[0, 0], ids[1, 5], ids[1, 2] = 299, 0, 256
    yield "a long table", case(ids, table(rng, 300, 8))


def case(ids, embedding_table):
    return {"positions": np.array(ids, dtype=np.float32), "embedding_table": embedding_table}


def readable_table(max_len, d_model):
    """Row r, column c holds r + (c + 1) / 10."""
    rows, columns = np.arange(max_len), np.arange(d_model)
    return (rows[:, None] + (columns + 1) / 10).astype(np.float32)


def table(rng, max_len, d_model):
    """Numbers of the size that trained tables hold."""
    return rng.normal(scale=0.1, size=(max_len, d_model)).astype(np.float32)
