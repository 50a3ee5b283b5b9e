"""Vaswani et al. 2017, "Attention Is All You Need", section 3.2.3: scores of illegal connections, those to later
positions, are set to minus infinity. One score at a time, by plain loops."""

import math

import numpy as np


def expected(scores):
    out = np.array(scores)
    sequences, heads, queries, keys = out.shape
    for b in range(sequences):
        for h in range(heads):
            for query in range(queries):
                for key in range(keys):
                    if key > query:
                        out[b, h, query, key] = -math.inf
    return out
