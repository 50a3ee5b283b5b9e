# framework: numpy
"""Only the 1 of the right class is divided by N, and the probabilities are not. Divide the whole difference."""

import numpy as np


def cross_entropy_gradient(logits, labels):
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) - np.eye(logits.shape[1])[labels] / len(labels)
