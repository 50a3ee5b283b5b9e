"""Inputs for `pairwise_distances(a, b)`.

N, M and D differ in most cases, so that axes in the wrong places fail. Where two of them are equal, only the numbers
show it. Points close together and far from the origin show the expanded square.
"""

import numpy as np


def sample_cases(rng):
    yield "two points and three points in the plane", case([[0, 0], [3, 4]], [[0, 0], [3, 0], [6, 8]])
    yield "three points and one point in space", case([[1, 2, 2], [0, 0, 0], [-1, 1, 0.5]], [[1, 0, 0]])
    yield "close together, far from the origin", case([[40, 30.1], [40, 30.2]], [[40, 30.1], [40.3, 30.2], [40, 29.9]])


def hidden_cases(rng):
    yield "more points in a than in b", drawn(rng, 5, 2, 3)
    yield "more points in b than in a", drawn(rng, 2, 6, 4)
    yield "as many points as coordinates", drawn(rng, 3, 3, 3)
    yield "as many points in both", drawn(rng, 4, 4, 2)
    yield "one point and one point", drawn(rng, 1, 1, 4)
    yield "one point in a", drawn(rng, 1, 5, 3)
    yield "one point in b", drawn(rng, 5, 1, 3)
    yield "one coordinate", drawn(rng, 4, 3, 1)
    points = rng.standard_normal((4, 3))
    yield "the same points in both", case(points, points[::-1])
    centre = rng.uniform(40, 60, 3)
    yield "close together, not near the origin", case(
        centre + 0.1 * rng.standard_normal((4, 3)), centre + 0.1 * rng.standard_normal((5, 3))
    )
    yield "large numbers", drawn(rng, 3, 4, 5, size=1e4)
    yield "many coordinates", drawn(rng, 3, 2, 100)


def drawn(rng, N, M, D, size=1.0):
    return case(size * rng.standard_normal((N, D)), size * rng.standard_normal((M, D)))


def case(a, b):
    return {"a": np.array(a, dtype=np.float32), "b": np.array(b, dtype=np.float32)}
