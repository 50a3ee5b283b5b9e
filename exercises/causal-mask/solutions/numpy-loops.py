# framework: numpy
import numpy as np


def causal_mask(scores):
    out = scores.copy()
    for query in range(scores.shape[-1]):
        out[..., query, query + 1 :] = -np.inf
    return out
