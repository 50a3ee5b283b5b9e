# framework: numpy
"""The sign is reversed. Gradient descent subtracts the gradient later; the gradient itself is the plain sum."""

import numpy as np


def embedding_gradient(ids, upstream, max_len):
    gradient = np.zeros((max_len, upstream.shape[-1]), dtype=np.float32)
    np.add.at(gradient, ids, upstream)
    return -gradient
