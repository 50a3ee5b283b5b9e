# framework: numpy
"""The numbers are right, but the dtype has become float64. NumPy's `full`, `ones` and `zeros` make float64 unless told
otherwise: give your mask `dtype=scores.dtype`."""

import numpy as np


def causal_mask(scores):
    T = scores.shape[-1]
    return scores + np.triu(np.full((T, T), -np.inf), k=1)
