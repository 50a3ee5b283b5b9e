# framework: numpy
"""You divided by the number of sequences. If the loss is a mean, `upstream` has that factor already: return the
sum."""

import numpy as np


def embedding_gradient(ids, upstream, max_len):
    gradient = np.zeros((max_len, upstream.shape[-1]), dtype=np.float32)
    np.add.at(gradient, ids, upstream)
    return gradient / np.float32(ids.shape[0])
