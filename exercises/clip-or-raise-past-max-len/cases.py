"""Inputs for `look_up(table, ids, clip)`.

In the samples an entry of the table tells where it comes from: 2.3 stands in row 2, third column. A case that is only to
raise an exception has the same answer in all draws. So those that are drawn are scripts, which first look up ids that
have rows. Nearly all shapes are those of the samples, which JAX has compiled already.
"""

import numpy as np

STRICT = """
look_up(table, good, False)
look_up(table, bad, False)
"""


def sample_cases(rng):
    yield "clipped on both sides", case(readable_table(5, 4), [[-2, 0, 3], [4, 5, 9]], True)
    yield "strict, and every id has a row", case(readable_table(5, 4), [[0, 4, 2], [1, 1, 3]], False)
    yield "strict, one id too large", case(readable_table(5, 4), [[0, 1, 2], [3, 4, 5]], False)
    yield "strict, one id below zero", case(readable_table(5, 4), [[0, 1, 2], [-1, 4, 4]], False)


def hidden_cases(rng):
    yield "clipping with nothing to clip", case(table(rng), [[4, 3, 2], [0, 1, 0]], True)
    yield "clipping far away", case(table(rng), rng.integers(-1000, 1000, (2, 3)), True)
    yield "clipping just outside", case(table(rng), [[-1, 5, 4], [5, 0, -1]], True)
    yield "clipping -1 alone", case(table(rng), [[2, -1, 3], [1, 2, 3]], True)
    yield "clipping 5 alone", case(table(rng), [[2, 1, 3], [1, 5, 3]], True)
    yield "the largest and smallest int32", case(table(rng), [[2**31 - 1, 0, -(2**31)], [1, 2, 3]], True)
    yield "clipping into a table of one row", case(table(rng, 1), [[0, 1, -1], [0, 0, 7]], True)
    yield "strict on the first and the last row", case(table(rng), [[0, 4, 0], [4, 0, 4]], False)
    yield "strict on a single token, the last row", case(table(rng), [[4]], False)
    yield "strict on a table of one row", case(table(rng, 1), [[0, 0, 0], [0, 0, 0]], False)
    yield "strict, more rows than features", case(table(rng, 9), rng.integers(5, 9, (2, 3)), False)
    yield "strict, id 4 and then id 5", strict(rng, [[4, 1, 2], [0, 2, 3]], [[5, 1, 2], [0, 2, 3]])
    yield "strict, id 0 and then id -1", strict(rng, [[1, 1, 2], [3, 0, 3]], [[1, 1, 2], [3, -1, 3]])
    yield "strict, then far too large", strict(rng, [[0, 1, 2], [3, 3, 1]], [[0, 1, 2], [3, 3, rng.integers(6, 999)]])
    yield "strict, every id too large", case(readable_table(5, 4), [[5, 6, 7], [8, 9, 5]], False)
    yield "strict, every id below zero", case(readable_table(5, 4), [[-5, -4, -3], [-2, -1, -1]], False)
    yield "strict, a table of one row and id 1", case(readable_table(1, 4), [[0, 0, 0], [0, 0, 1]], False)


def case(embedding_table, ids, clip):
    return {"table": embedding_table, "ids": np.array(ids, dtype=np.int32), "clip": clip}


def strict(rng, good, bad):
    """First ids that all have a row, then some of which one has none."""
    return script(STRICT, table=table(rng), good=np.array(good, dtype=np.int32), bad=np.array(bad, dtype=np.int32))


def readable_table(max_len, d_model):
    """Row r, column c holds r + (c + 1) / 10."""
    rows, columns = np.arange(max_len), np.arange(d_model)
    return (rows[:, None] + (columns + 1) / 10).astype(np.float32)


def table(rng, max_len=5, d_model=4):
    return rng.normal(scale=0.1, size=(max_len, d_model)).astype(np.float32)
