# framework: numpy
"""Your result is `2 * (p - one_hot) * p * (1 - p) / N`. It is made for a squared error of the probabilities, and leaves out
what one score does to the other classes. Differentiate the logarithm in this loss."""

import numpy as np


def cross_entropy_gradient(logits, labels):
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return 2 * (p - np.eye(logits.shape[1])[labels]) * p * (1 - p) / len(labels)
