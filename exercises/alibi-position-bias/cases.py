"""Inputs for `alibi_position_bias(query_positions, key_positions, heads)`.

The slopes of 1, 2, 4 and 8 heads are powers of two, those of 16 and more are not. Distances beyond 2,048 are in some
cases, where half precision cannot hold all products.
"""

import numpy as np


def sample_cases(rng):
    yield "three tokens, two heads", case([0, 1, 2], [0, 1, 2], 2)
    yield "two new queries and a cache of five keys", case([3, 4], [0, 1, 2, 3, 4], 8)
    yield "positions out of order", case([7, 0, 3], [2, 7, 0, 5], 16)


def hidden_cases(rng):
    yield "positions out of order and repeated", case(rng.integers(0, 9, 3), rng.integers(0, 9, 4), 16)
    yield "far apart", case(rng.integers(4000, 9000, 3), rng.integers(0, 4000, 4), 16)
    yield "keys in the future of most queries", case([0, 1, rng.integers(60, 900)], rng.integers(2, 99, 4), 16)
    first = rng.integers(200, 900)
    yield "positions that start in the middle", case(first + np.arange(2, 5), first + rng.integers(0, 9, 4), 16)
    latest = rng.integers(20, 900)
    yield "running backwards", case(latest - np.arange(3), latest - rng.integers(0, 9, 4), 16)
    yield "one head", case(rng.integers(0, 900, 4), rng.integers(0, 900, 5), 1)
    yield "two heads", case(rng.integers(0, 900, 3), rng.integers(0, 900, 5), 2)
    yield "four heads", case(rng.integers(0, 900, 5), rng.integers(0, 900, 3), 4)
    yield "eight heads", case(rng.integers(0, 900, 4), rng.integers(0, 900, 4), 8)
    yield "thirty-two heads", case(rng.integers(0, 90, 4), rng.integers(0, 90, 5), 32)
    yield "one query and one key", case(rng.integers(5000, 9000, 1), rng.integers(0, 5000, 1), 8)
    yield "one query and a long cache", case(rng.integers(60, 9000, 1), np.arange(60), 4)
    yield "as many heads as queries and keys", case(rng.integers(0, 90, 8), rng.integers(0, 90, 8), 8)
    yield "position zero only", case([0, 0], [0, 0, 0], 4)


def case(query_positions, key_positions, heads):
    queries, keys = np.array(query_positions, dtype=np.int32), np.array(key_positions, dtype=np.int32)
    return {"query_positions": queries, "key_positions": keys, "heads": heads}
