"""Self-attention on tokens in another order, and how far it is from the same answers in another order."""

import numpy as np


def attention(z, w_q, w_k, w_v):
    """softmax(Q K^T / sqrt(D)) V for one head: (T, d_model) to (T, D)"""
    q, k, v = z @ w_q, z @ w_k, z @ w_v                             # (T, D) each
    scores = q @ k.T / w_q.shape[1] ** 0.5                          # (T, T)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))         # (T, T), at most 1
    return e / e.sum(axis=-1, keepdims=True) @ v                    # (T, D)


def order_gap(x, positions, w_q, w_k, w_v, permutation):
    """(output, gap): attention on x[permutation], and its largest distance from the answers to x, permuted

    >>> x, w = np.array([[1, 0], [0, 1], [1, 1]], dtype=np.float32), np.eye(2, dtype=np.float32)
    >>> output, gap = order_gap(x, None, w, w, w, np.array([2, 0, 1]))
    >>> output.round(4)[1], gap < 1e-6
    (array([0.8022, 0.5989], dtype=float32), True)
    """
    if positions is None:
        positions = np.zeros_like(x)                                # (T, d_model)
    output = attention(x[permutation] + positions, w_q, w_k, w_v)   # (T, D): place t holds token permutation[t]
    in_order = attention(x + positions, w_q, w_k, w_v)              # (T, D)
    gap = np.abs(output - in_order[permutation]).max()
    return output, float(gap)
