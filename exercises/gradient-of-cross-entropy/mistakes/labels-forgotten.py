# framework: numpy
"""You return the probabilities, divided by N. Subtract 1 at the right class of each row before you divide."""

import numpy as np


def cross_entropy_gradient(logits, labels):
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) / len(labels)
