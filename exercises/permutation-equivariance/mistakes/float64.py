# framework: numpy
"""The values are right, but the dtype is float64, so a step on the way widens it. In NumPy, `np.sqrt(D)` of a whole number
`D` does that, and `D ** 0.5` does not; `np.zeros` does it without a `dtype`."""

import numpy as np


def attention(z, w_q, w_k, w_v):
    q, k, v = z @ w_q, z @ w_k, z @ w_v
    scores = q @ k.T / np.sqrt(w_q.shape[1])
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ v


def order_gap(x, positions, w_q, w_k, w_v, permutation):
    if positions is None:
        positions = np.zeros_like(x)
    output = attention(x[permutation] + positions, w_q, w_k, w_v)
    in_order = attention(x + positions, w_q, w_k, w_v)
    return output, float(np.abs(output - in_order[permutation]).max())
