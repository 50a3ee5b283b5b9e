# framework: numpy
"""You divide `x` itself and leave its mean in. Subtract each token's mean first: `x - mean`."""

import numpy as np


def layer_norm(x, scale, shift, eps):
    return scale * x / np.sqrt(x.var(axis=-1, keepdims=True) + eps) + shift
