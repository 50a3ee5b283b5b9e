# framework: numpy
"""You take the sigmoid of each score alone, so the probabilities of a row do not sum to 1. That belongs to the binary
cross-entropy. Here the classes of a row share one softmax."""

import numpy as np


def cross_entropy_gradient(logits, labels):
    with np.errstate(over="ignore"):
        p = 1 / (1 + np.exp(-logits))
    return (p - np.eye(logits.shape[1])[labels]) / len(labels)
