# framework: numpy
"""You divide by the number of classes. The loss is a mean over the rows: divide by N, `logits.shape[0]`."""

import numpy as np


def cross_entropy_gradient(logits, labels):
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True) - np.eye(logits.shape[1])[labels]) / logits.shape[1]
