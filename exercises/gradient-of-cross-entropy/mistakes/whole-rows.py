# framework: numpy
# verdict: runtime_error
"""`p[labels]` names whole rows, and fails where a label is no row. Name one place in each row, `p[np.arange(N),
labels]`."""

import numpy as np


def cross_entropy_gradient(logits, labels):
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    p[labels] -= 1
    return p / len(labels)
