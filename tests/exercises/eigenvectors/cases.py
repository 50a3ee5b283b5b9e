import numpy as np


def sample_cases(rng):
    yield "two by two", {"a": np.array([[2.0, 1.0], [1.0, -3.0]])}


def hidden_cases(rng):
    yield "drawn, three by three", {"a": symmetric(rng, 3)}
    yield "drawn, five by five", {"a": symmetric(rng, 5)}
    yield "drawn, of rank two", {"a": low_rank(rng, 4, 2)}
    yield "equal eigenvalues", {"a": np.diag([2.0, 5.0, 2.0, -1.0])}
    yield "large numbers", {"a": 1e4 * symmetric(rng, 4)}
    yield "one by one", {"a": rng.standard_normal((1, 1))}
    yield "all zero", {"a": np.zeros((3, 3))}


def symmetric(rng, n):
    half = rng.standard_normal((n, n))
    return half + half.T


def low_rank(rng, n, rank):
    half = rng.standard_normal((n, rank))
    return half @ half.T
