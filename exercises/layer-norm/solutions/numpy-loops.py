# framework: numpy
import math

import numpy as np


def layer_norm(x, scale, shift, eps):
    out = np.empty_like(x)
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            token = x[b, t].astype(np.float64)              # (D,)
            centred = token - token.mean()
            out[b, t] = scale * centred / math.sqrt((centred**2).mean() + eps) + shift
    return out
