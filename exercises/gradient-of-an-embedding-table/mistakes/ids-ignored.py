# framework: numpy
"""You added the gradients of token `t` to row `t`, without looking at the ids. Which row a token used is in `ids[n,
t]`."""

import numpy as np


def embedding_gradient(ids, upstream, max_len):
    gradient = np.zeros((max_len, upstream.shape[-1]), dtype=np.float32)
    np.add.at(gradient, np.arange(ids.shape[1]) % max_len, upstream.sum(axis=0))
    return gradient
