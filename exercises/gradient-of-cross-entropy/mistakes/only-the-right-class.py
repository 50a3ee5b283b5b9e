# framework: numpy
"""Only the right class has a gradient in your result. Every score is part of the sum below the fraction, so each of the
others has one too: its own probability, divided by N."""

import numpy as np


def cross_entropy_gradient(logits, labels):
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    one_hot = np.eye(logits.shape[1])[labels]
    return one_hot * (e / e.sum(axis=1, keepdims=True) - 1) / len(labels)
