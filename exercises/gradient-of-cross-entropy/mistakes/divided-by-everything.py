# framework: numpy
"""You divide by `N * C`, as a mean over all entries does. The loss is a mean over the N rows only: divide by N."""

import numpy as np


def cross_entropy_gradient(logits, labels):
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True) - np.eye(logits.shape[1])[labels]) / logits.size
