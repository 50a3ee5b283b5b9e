# framework: numpy
"""You took the mean of the gradients that share a row. A row that is used twice changes the loss in two places: add
them, and do not divide by their number."""

import numpy as np


def embedding_gradient(ids, upstream, max_len):
    gradient = np.zeros((max_len, upstream.shape[-1]), dtype=np.float32)
    np.add.at(gradient, ids, upstream)
    counts = np.bincount(ids.reshape(-1), minlength=max_len)[:, None]
    return (gradient / np.maximum(counts, 1)).astype(np.float32)
