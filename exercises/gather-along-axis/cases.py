"""Inputs for `gather_along_axis(x, index, axis)`.

In the samples a number tells where it comes from: 2.3 is row 2, third place. Square arrays with a square index fit
along either axis, so that only the numbers show a wrong one. Many cases share a shape, which JAX compiles once.
"""

import numpy as np


def sample_cases(rng):
    yield "two of each row", case(readable(3, 4), [[2, 0], [1, 1], [3, 2]], 1)
    yield "one of each column", case(readable(3, 4), [[1, 0, 2, 2]], 0)
    yield "counted from the end, the last axis", case(readable(3, 4), [[0, 3], [2, 0], [1, 2]], -1)
    yield "counted from the end, the first axis", case(readable(3, 4), [[2, 1, 0, 2]], -2)


def hidden_cases(rng):
    yield "places of each row", drawn(rng, (3, 4), 2, 1)
    yield "a place of each column", drawn(rng, (3, 4), 1, 0)
    yield "a square along axis 1", drawn(rng, (4, 4), 4, 1)
    yield "a square along axis 0", drawn(rng, (4, 4), 4, 0)
    yield "the last axis", drawn(rng, (3, 4), 2, -1)
    yield "the last axis but one", drawn(rng, (3, 4), 1, -2)
    yield "more picked than there are", drawn(rng, (2, 3), 7, 1)
    yield "one row", drawn(rng, (1, 6), 3, 1)
    yield "one column", drawn(rng, (6, 1), 3, 0)
    x = numbers(rng, 4, 4)
    yield "every row sorted", case(x, np.argsort(x, axis=1), 1)
    yield "every column backwards", case(numbers(rng, 4, 4), [[3] * 4, [2] * 4, [1] * 4, [0] * 4], 0)
    yield "the same place, again and again", case(numbers(rng, 3, 4), np.full((3, 2), 3), 1)
    yield "one number", case(1000 * numbers(rng, 1, 1), [[0]], 0)
    yield "long rows", drawn(rng, (2, 60), 4, 1)


def drawn(rng, shape, count, axis):
    """`count` places along the axis, for each place of the other one."""
    size = list(shape)
    size[axis] = count
    return case(numbers(rng, *shape), rng.integers(0, shape[axis], size), axis)


def numbers(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)


def case(x, index, axis):
    return {"x": x, "index": np.array(index, dtype=np.int64), "axis": axis}


def readable(N, C):
    """Row r, column c holds r + (c + 1) / 10."""
    rows, columns = np.ogrid[:N, :C]
    return (rows + (columns + 1) / 10).astype(np.float32)
