"""Inputs for `relative_scores(queries, keys, max_distance, table)`.

In the first two samples the keys are 0 or the queries are 1, so a score shows which row of the table it took. Hidden
cases mostly have the shapes of the samples, which JAX has compiled already.
"""

import numpy as np


def sample_cases(rng):
    table = np.array([[-20], [-10], [0], [10], [20]], np.float32)
    queries, keys = np.ones((1, 4, 1), np.float32), np.zeros((1, 4, 1), np.float32)
    yield "the table alone", {"queries": queries, "keys": keys, "max_distance": 2, "table": table}
    keys = np.array([[[1, 0], [2, 0], [3, 0]]], np.float32)
    table = np.array([[0, 10], [0, 20], [0, 30]], np.float32)
    queries = np.ones((1, 3, 2), np.float32)
    yield "keys and distances", {"queries": queries, "keys": keys, "max_distance": 1, "table": table}
    yield "two heads of four numbers", case(rng, 2, 5, 4, 2)


def hidden_cases(rng):
    yield "two heads", case(rng, 2, 5, 4, 2)
    yield "two other heads", case(rng, 2, 5, 4, 2)
    larger = case(rng, 2, 5, 4, 2)
    yield "larger queries", {**larger, "queries": 10 * larger["queries"]}
    yield "only neighbours are told apart", case(rng, 2, 5, 4, 1)
    yield "one row for every distance", case(rng, 2, 5, 4, 0)
    yield "the longest distance just fits", case(rng, 2, 5, 4, 4)
    yield "more distances than there are", case(rng, 2, 5, 4, 7)
    yield "a single token", case(rng, 2, 1, 4, 2)
    yield "two numbers per head", case(rng, 3, 4, 2, 1)
    yield "as many heads as tokens", case(rng, 4, 4, 4, 3)
    yield "a long sequence", case(rng, 1, 12, 8, 3)
    queries = rng.standard_normal((2, 5, 4)).astype(np.float32)
    table = rng.standard_normal((5, 4)).astype(np.float32)
    yield "keys of zeros", {"queries": queries, "keys": 0 * queries, "max_distance": 2, "table": table}
    yield "a table of zeros", {"queries": queries, "keys": queries[::-1] + 1, "max_distance": 2, "table": 0 * table}


def case(rng, H, T, d, max_distance):
    shapes = {"queries": (H, T, d), "keys": (H, T, d), "table": (2 * max_distance + 1, d)}
    drawn = {name: rng.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
    return {**drawn, "max_distance": max_distance}
