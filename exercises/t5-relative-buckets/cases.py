"""Inputs for `t5_relative_buckets(relative_positions, bidirectional, num_buckets, max_distance)`.

With 32 buckets in both directions, far buckets begin at 16, 32 and 64 exactly, so there it depends on rounding where a
right answer puts these distances. No case has them. Most cases have the shape (2, 5), which JAX has compiled by then.
"""

import numpy as np


def sample_cases(rng):
    queries, keys = np.array([0, 40]), np.array([0, 9, 20, 40, 100])
    yield "an encoder", case(keys - queries[:, None], True, 32, 128)
    yield "a decoder", case(keys - queries[:, None], False, 32, 128)
    yield "few buckets, both directions", case([[-30, -7, -3, -2, -1], [0, 1, 2, 5, 30]], True, 8, 20)


def hidden_cases(rng):
    yield "encoder, near", case(rng.integers(-7, 8, (2, 5)), True, 32, 128)
    yield "encoder, far", case(either_side(rng, 9, 128, (2, 5)), True, 32, 128)
    yield "encoder, very far", case(either_side(rng, 128, 100_000, (2, 5)), True, 32, 128)
    yield "encoder, buckets begin", case([[-46, -45, -12, -8, -7], [7, 8, 15, 90, 91]], True, 32, 128)
    yield "encoder, more buckets begin", case([[-128, -127, -91, -90, -23], [11, 12, 22, 23, 129]], True, 32, 128)
    yield "decoder, the past", case(-rng.integers(0, 130, (2, 5)), False, 32, 128)
    yield "decoder, far in the past", case(-rng.integers(17, 128, (2, 5)), False, 32, 128)
    yield "decoder, past and future", case(either_side(rng, 1, 200, (2, 5)), False, 32, 128)
    yield "decoder, buckets begin", case([[-15, -16, -18, -19, -99], [-112, -113, -128, -129, 9]], False, 32, 128)
    yield "decoder, the future only", case(rng.integers(1, 300, (2, 5)), False, 32, 128)
    yield "an odd number of buckets in all", case(either_side(rng, 1, 60, (2, 5)), True, 11, 50)
    yield "an odd number of buckets, causal", case(-rng.integers(0, 60, (2, 5)), False, 7, 40)
    yield "the fewest buckets, both directions", case(either_side(rng, 1, 20, (2, 5)), True, 4, 8)
    yield "another distance", case(either_side(rng, 20, 600, (2, 5)), True, 64, 512)
    yield "one query and one key", case(either_side(rng, 10, 120, (1, 1)), True, 32, 128)
    yield "a square", case(clear(np.arange(4) * 9 - np.arange(4)[:, None] * int(rng.integers(5, 90))), True, 16, 64)
    yield "more queries than keys", case(rng.integers(-150, 150, (40, 3)), False, 32, 128)


def case(relative_positions, bidirectional, num_buckets, max_distance):
    return {
        "relative_positions": np.array(relative_positions, dtype=np.int32),
        "bidirectional": bidirectional,
        "num_buckets": num_buckets,
        "max_distance": max_distance,
    }


def either_side(rng, least, below, shape):
    """Distances of keys before and after the query."""
    return clear(rng.integers(least, below, shape) * rng.choice([-1, 1], shape))


def clear(relative_positions):
    """Without the distances that depend on rounding."""
    doubtful = np.isin(np.abs(relative_positions), [16, 32, 64])
    return np.where(doubtful, relative_positions + 1, relative_positions)
