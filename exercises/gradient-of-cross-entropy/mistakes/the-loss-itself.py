# framework: numpy
"""You return the loss, a single number. Return its gradient by the scores, which has their shape `(N, C)`."""

import numpy as np


def cross_entropy_gradient(logits, labels):
    shifted = logits - logits.max(axis=1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return -log_p[np.arange(len(labels)), labels].mean()
