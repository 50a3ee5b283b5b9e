# framework: numpy
"""You subtract 1 at the labels of all rows in every row: `p[:, labels]` names whole columns. Name one place in each row,
`p[np.arange(N), labels]`."""

import numpy as np


def cross_entropy_gradient(logits, labels):
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    p[:, labels] -= 1
    return p / len(labels)
