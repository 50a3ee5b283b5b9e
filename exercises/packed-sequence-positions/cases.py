"""Inputs for `packed_positions(segment_ids)`.

Rows are packed at random: documents of drawn lengths and drawn ids, with padding where a case says so. Most have the
shape (2, 8), which JAX has compiled by then.
"""

import numpy as np


def sample_cases(rng):
    yield "documents, padding, and an id that comes back", case([[1, 1, 1, 2, 2, 3, 0, 0], [0, 7, 7, 4, 4, 4, 4, 7]])
    yield "one document in each row", case([[1, 1, 1, 1, 1], [5, 5, 5, 0, 0], [2, 2, 0, 0, 0]])
    yield "the same id at the end of a row and at the start of the next", case([[1, 1, 2, 2], [2, 2, 3, 3]])


def hidden_cases(rng):
    yield "rows without padding", packed(rng, 2, 8)
    yield "padding at the end", packed(rng, 2, 8, end=2)
    yield "padding in front", packed(rng, 2, 8, front=3)
    yield "ids that fall", case([[9, 9, 5, 5, 5, 2, 1, 1], [800, 800, 800, 70, 6, 6, 6, 6]])
    returning = np.array([[0, 0, 1, 0, 0, 0, 1, 1], [2, 0, 2, 2, 0, 2, 0, 0]])
    yield "ids that come back", case(rng.choice(np.arange(1, 900), 3, replace=False)[returning])
    yield "padding within a run of one id", case(rng.integers(1, 900, (2, 1)) * (rng.random((2, 8)) < 0.7))
    apart = packed(rng, 2, 8)["segment_ids"]
    yield "padding between and within documents", case(apart * (rng.random((2, 8)) < 0.8))
    yield "nothing but padding in one row", case([[0, 0, 0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 2, 2, 2, 2]])
    yield "every token a document", case([[1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 6, 5, 4, 3, 2, 1]])
    yield "large ids", case(2_000_000_000 + np.array([[0, 0, 0, 1, 1, 5, 5, 5], [3, 3, 2, 2, 2, 2, 1, 1]]))
    yield "rows that end and start with the same document", packed(rng, 4, 4, ids=2)
    yield "one token in each row", case([[3], [0], [3]])
    yield "one long row", packed(rng, 1, 300, longest=90)
    yield "many rows", packed(rng, 6, 12, front=1, end=2, ids=3)


def packed(rng, N, T, front=0, end=0, longest=4, ids=900):
    """Rows of documents of 1 to `longest` tokens, with ids from 1 to `ids`."""
    rows = np.zeros((N, T), dtype=np.int32)
    for row in rows:
        place, last = front, 0
        while place < T - end:
            last = rng.choice([i for i in range(1, ids + 1) if i != last])
            length = rng.integers(1, longest + 1)
            row[place : min(place + length, T - end)] = last
            place += length
    return case(rows)


def case(segment_ids):
    return {"segment_ids": np.array(segment_ids, dtype=np.int32)}
