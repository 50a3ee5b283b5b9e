"""Buckets of relative positions, as in T5 (Raffel et al. 2019, section 2.1)."""

import numpy as np


def t5_relative_buckets(relative_positions, bidirectional, num_buckets, max_distance):
    """Near distances have a bucket each, and far ones share buckets that grow with the logarithm.

    >>> t5_relative_buckets(np.array([[-20, -1, 0, 1, 500]]), True, 32, 128)
    array([[10,  1,  0, 17, 31]], dtype=int32)
    """
    if bidirectional:
        num_buckets //= 2
        start = (relative_positions > 0) * num_buckets   # (T, S)
        distance = np.abs(relative_positions)            # (T, S)
    else:
        start = 0
        distance = np.maximum(-relative_positions, 0)    # (T, S)
    exact = num_buckets // 2
    # mutants: the statement rules out what these refuse
    if exact < 1 or max_distance <= exact:
        raise ValueError("the statement promises e >= 1 and max_distance > e")
    # mutants: a distance below `exact` has its own bucket, so it does not matter what is computed for it here
    at_least = np.maximum(distance, exact)               # (T, S)
    growth = np.log(at_least / exact) / np.log(max_distance / exact)  # 0 at `exact`, 1 at `max_distance`
    far = exact + (growth * (num_buckets - exact)).astype(np.int32)   # (T, S)
    far = np.minimum(far, num_buckets - 1)
    # mutants: at `exact` itself both branches agree
    return (start + np.where(distance < exact, distance, far)).astype(np.int32)
