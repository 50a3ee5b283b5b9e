# framework: numpy
"""The squares are summed and not averaged, so that your numbers are `sqrt(D)` times too small. Divide the sum by `D`,
or take the mean."""

import numpy as np


def layer_norm(x, scale, shift, eps):
    centred = x - x.mean(axis=-1, keepdims=True)
    return scale * centred / np.sqrt((centred**2).sum(axis=-1, keepdims=True) + eps) + shift
