# framework: numpy
# verdict: runtime_error
"""You take the number of classes from the largest label, and the last class need not occur in a batch. The columns of
the scores are the classes: `logits.shape[1]`."""

import numpy as np


def cross_entropy_gradient(logits, labels):
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return (p - np.eye(labels.max() + 1)[labels]) / len(labels)
