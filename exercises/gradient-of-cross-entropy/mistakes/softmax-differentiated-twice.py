# framework: numpy
"""Your result has a factor `p * (1 - p)` too many. The derivative of softmax is in the difference of the probabilities and
one-hot already."""

import numpy as np


def cross_entropy_gradient(logits, labels):
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return (p - np.eye(logits.shape[1])[labels]) * p * (1 - p) / len(labels)
