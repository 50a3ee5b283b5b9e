# framework: numpy
"""Your columns of weights sum to 1, but each row should: a token shares out 1 among all tokens. Take the softmax
over the last axis."""

import numpy as np


def attention(z, w_q, w_k, w_v):
    q, k, v = z @ w_q, z @ w_k, z @ w_v
    scores = q @ k.T / w_q.shape[1] ** 0.5
    e = np.exp(scores - scores.max(axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True) @ v


def order_gap(x, positions, w_q, w_k, w_v, permutation):
    if positions is None:
        positions = np.zeros_like(x)
    output = attention(x[permutation] + positions, w_q, w_k, w_v)
    in_order = attention(x + positions, w_q, w_k, w_v)
    return output, float(np.abs(output - in_order[permutation]).max())
