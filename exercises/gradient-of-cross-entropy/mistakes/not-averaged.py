# framework: numpy
"""Your gradient is that of the sum over the rows, N times too large. The loss is a mean: divide by N."""

import numpy as np


def cross_entropy_gradient(logits, labels):
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) - np.eye(logits.shape[1])[labels]
