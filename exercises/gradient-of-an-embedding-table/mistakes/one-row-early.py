# framework: numpy
"""Each gradient went one row too early, and those of row 0 to the last row. The ids count from zero already: leave out
the `- 1`."""

import numpy as np


def embedding_gradient(ids, upstream, max_len):
    gradient = np.zeros((max_len, upstream.shape[-1]), dtype=np.float32)
    np.add.at(gradient, ids - 1, upstream)
    return gradient
