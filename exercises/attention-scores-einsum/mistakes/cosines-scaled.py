# framework: numpy
"""Your scores are cosines, divided by `sqrt(d)`: each vector is divided by its own length first. Here long vectors have
large scores. Leave `q` and `k` as they are; the division by `sqrt(d)` is the only one."""

import math

import numpy as np


def attention_scores(q, k):
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    k = k / np.linalg.norm(k, axis=-1, keepdims=True)
    return np.einsum("bthi,bshi->bhts", q, k) / math.sqrt(q.shape[-1])
