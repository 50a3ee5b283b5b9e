# framework: numpy
"""Only the probabilities are divided by N, and 1 is subtracted after that. Divide the whole difference: subtract first."""

import numpy as np


def cross_entropy_gradient(logits, labels):
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) / len(labels) - np.eye(logits.shape[1])[labels]
