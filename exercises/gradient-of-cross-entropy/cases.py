"""Inputs for `cross_entropy_gradient(logits, labels)`.

N and C differ in most cases. Where they are equal, a wrong axis shows in the numbers only. Several cases share a shape,
which JAX compiles once. Labels repeat, and some classes never occur. Scores whose exponentials no float64 holds are in
samples and in hidden cases.
"""

import numpy as np


def sample_cases(rng):
    yield "two rows of two classes", case([[0, 0], [0, np.log(3)]], [0, 1])
    yield "three rows of four classes", case([[1, 2, 0, -1], [0, 0, 0, 0], [3, 1, 1, 2]], [1, 3, 1])
    yield "scores too large for exp", case([[1000, 1001, 1002], [-1000, 0, -500]], [0, 2])


def hidden_cases(rng):
    yield "four classes", drawn(rng, 3, 4)
    yield "as many rows as classes", drawn(rng, 4, 4)
    yield "more rows than classes", drawn(rng, 6, 3)
    yield "one row", drawn(rng, 1, 4)
    yield "two classes", drawn(rng, 3, 2)
    yield "one class", case([[0.5], [-2], [700]], [0, 0, 0])
    yield "every label the same", case(rng.standard_normal((3, 4)), [2, 2, 2])
    yield "the last class and the first", case(rng.standard_normal((2, 3)), [2, 0])
    yield "scores of any size", drawn(rng, 3, 4, size=400)
    # Beyond 745 even the smallest float64 is too large for exp(-far), so a row needs its own maximum, below 0 too
    far = rng.uniform(800, 1000) * np.array([[1], [-1], [0]])
    yield "rows far apart", case(rng.standard_normal((3, 4)) + far, [0, 1, 3])
    yield "nearly sure of the right class", case(rng.standard_normal((3, 4)) + 12 * np.eye(3, 4), [0, 1, 2])
    yield "many classes", drawn(rng, 2, 60)


def drawn(rng, N, C, size=1.0):
    return case(size * rng.standard_normal((N, C)), rng.integers(0, C, N))


def case(logits, labels):
    return {"logits": np.array(logits, dtype=np.float64), "labels": np.array(labels, dtype=np.int64)}
