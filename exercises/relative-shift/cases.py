"""Inputs for `relative_shift(scores)`.

In the samples a score of query i at distance d is 100 h + 10 (i + 1) + d, so an answer shows where each number came
from. Hidden cases mostly have the shapes of the samples, which JAX has compiled already.
"""

import numpy as np


def sample_cases(rng):
    yield "three queries, three keys", {"scores": readable_scores(1, 3, 3)}
    yield "two heads, two keys of memory", {"scores": readable_scores(2, 3, 5)}
    yield "four queries, six keys", {"scores": readable_scores(2, 4, 6)}


def hidden_cases(rng):
    yield "no memory", {"scores": numbers(rng, 1, 3, 3)}
    yield "some memory", {"scores": numbers(rng, 2, 3, 5)}
    yield "other numbers", {"scores": numbers(rng, 2, 4, 6)}
    yield "large numbers", {"scores": 1e4 * numbers(rng, 2, 3, 5)}
    yield "no number near zero", {"scores": 5 + abs(numbers(rng, 2, 4, 6))}
    yield "a single query", {"scores": numbers(rng, 2, 1, 4)}
    yield "a single query and key", {"scores": numbers(rng, 3, 1, 1)}
    yield "one key of memory", {"scores": numbers(rng, 1, 4, 5)}
    yield "much memory", {"scores": numbers(rng, 1, 2, 9)}
    yield "every dimension equal", {"scores": numbers(rng, 4, 4, 4)}
    yield "more heads than queries", {"scores": numbers(rng, 5, 2, 3)}


def readable_scores(H, T, K):
    heads, queries, columns = np.arange(H)[:, None, None], np.arange(T)[:, None], np.arange(K)
    distances = K - 1 - columns
    return (100.0 * heads + 10 * (queries + 1) + distances).astype(np.float32)


def numbers(rng, H, T, K):
    return rng.standard_normal((H, T, K)).astype(np.float32)
