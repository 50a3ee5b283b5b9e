# framework: numpy
"""`eps` has no effect on your result, so a token whose features are all equal becomes 0/0. Divide by
`sqrt(variance + eps)`."""

import numpy as np


def layer_norm(x, scale, shift, eps):
    centred = x - x.mean(axis=-1, keepdims=True)
    return scale * centred / x.std(axis=-1, keepdims=True) + shift
