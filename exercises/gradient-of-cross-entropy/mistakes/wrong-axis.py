# framework: numpy
"""Your softmax is taken down the columns, over the rows of the batch. The classes are the last axis: `axis=1`, with
`keepdims=True`."""

import numpy as np


def cross_entropy_gradient(logits, labels):
    e = np.exp(logits - logits.max(axis=0, keepdims=True))
    return (e / e.sum(axis=0, keepdims=True) - np.eye(logits.shape[1])[labels]) / len(labels)
