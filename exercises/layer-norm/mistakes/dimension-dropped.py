# framework: numpy
# verdict: runtime_error
"""Your mean has the shape `(B, T)`, which is matched with `(T, D)` from the right and does not fit. Keep its axis with
`keepdims=True`, so that it is `(B, T, 1)`."""

import numpy as np


def layer_norm(x, scale, shift, eps):
    centred = x - x.mean(axis=-1)
    return scale * centred / np.sqrt(x.var(axis=-1) + eps) + shift
