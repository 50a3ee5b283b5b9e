"""Follows `_relative_position_bucket` of T5X (github.com/google-research/t5x, t5x/examples/t5/layers.py), pair by pair
and in whole numbers only: with L = B - e, bucket e + k begins where n ** L * e ** k reaches e ** L * D ** k."""

import numpy as np


def expected(relative_positions, bidirectional, num_buckets, max_distance):
    return np.array(
        [[bucket(r, bidirectional, num_buckets, max_distance) for r in row] for row in relative_positions.tolist()]
    )


def bucket(r, bidirectional, num_buckets, max_distance):
    if not bidirectional:
        return within(max(-r, 0), num_buckets, max_distance)
    half = num_buckets // 2
    return within(abs(r), half, max_distance) + (half if r > 0 else 0)


def within(n, buckets, max_distance):
    exact = buckets // 2
    steps = buckets - exact
    if n < exact:
        return n
    step = 0
    while step < steps - 1 and n**steps * exact ** (step + 1) >= exact**steps * max_distance ** (step + 1):
        step += 1
    return exact + step
