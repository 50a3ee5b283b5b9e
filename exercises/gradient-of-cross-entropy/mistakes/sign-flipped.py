# framework: numpy
"""Your gradient has the opposite sign: it is the probabilities minus the one-hot labels, negative at the right class. The
minus of gradient descent belongs to the optimiser."""

import numpy as np


def cross_entropy_gradient(logits, labels):
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return (np.eye(logits.shape[1])[labels] - e / e.sum(axis=1, keepdims=True)) / len(labels)
