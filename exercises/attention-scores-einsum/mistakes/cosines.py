# framework: numpy
"""Your scores are cosines, from -1 to 1: each vector is divided by its own length. Here long vectors have large scores.
Leave `q` and `k` as they are, and divide the dot products by one number only, `sqrt(d)`."""

import numpy as np


def attention_scores(q, k):
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    k = k / np.linalg.norm(k, axis=-1, keepdims=True)
    return np.einsum("bthi,bshi->bhts", q, k)
