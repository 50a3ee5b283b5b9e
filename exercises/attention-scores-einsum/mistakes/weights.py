# framework: numpy
"""You return weights that sum to 1. Softmax comes later: return the scores."""

import math

import numpy as np


def attention_scores(q, k):
    scores = np.einsum("bthi,bshi->bhts", q, k) / math.sqrt(q.shape[-1])
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
