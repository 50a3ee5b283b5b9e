"""Inputs for `attention_scores(q, k)`.

T and S differ in most cases, and so do H and d, so that letters in the wrong places fail or show in the shape. Where
all sizes are equal only the numbers show them.
"""

import numpy as np


def sample_cases(rng):
    q, k = [[1, 0, 0, 0], [2, 2, 0, 0]], [[4, 0, 0, 9], [0, 3, 0, 9], [1, 1, 1, 1]]
    yield "one head, two queries, three keys", case(np.reshape(q, (1, 2, 1, 4)), np.reshape(k, (1, 3, 1, 4)))
    yield "two heads of one number", case([[[[1], [2]], [[3], [4]], [[-1], [5]]]], [[[[10], [0.1]]]])
    yield "two sequences of several heads", drawn(rng, 2, 3, 4, H=5, d=6)


def hidden_cases(rng):
    yield "two sequences", drawn(rng, 2, 3, 4, H=5, d=6)
    yield "as many queries as keys", drawn(rng, 2, 4, 4, H=2, d=3)
    yield "one head", drawn(rng, 2, 3, 5, H=1, d=4)
    yield "heads of one number", drawn(rng, 2, 3, 2, H=4, d=1)
    yield "heads of two numbers", drawn(rng, 1, 4, 3, H=3, d=2)
    yield "one query, many keys", drawn(rng, 2, 1, 9, H=2, d=4)
    yield "one key", drawn(rng, 3, 4, 1, H=2, d=4)
    yield "every size equal", drawn(rng, 3, 3, 3, H=3, d=3)
    yield "every size one", drawn(rng, 1, 1, 1, H=1, d=1)
    # All positive: where large products cancel, a right answer may round to another number
    yield "large numbers", case(rng.uniform(30, 150, (2, 3, 2, 3)), rng.uniform(30, 150, (2, 4, 2, 3)))
    x = rng.standard_normal((1, 3, 2, 4))
    yield "queries and keys the same", case(x, x)
    yield "long heads", drawn(rng, 1, 2, 3, H=2, d=64)


def drawn(rng, B, T, S, H, d):
    return case(rng.standard_normal((B, T, H, d)), rng.standard_normal((B, S, H, d)))


def case(q, k):
    return {"q": np.array(q, dtype=np.float32), "k": np.array(k, dtype=np.float32)}
