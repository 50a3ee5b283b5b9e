# framework: numpy
r"""Both sines of a block have the same sign, so it is no rotation. From
$\cos(\alpha + \theta) = \cos\alpha \cos\theta - \sin\alpha \sin\theta$, the one in the lower left is negative."""

import numpy as np


def relative_rotation(k, d_model, base):
    sine = np.arange(0, d_model, 2)
    cosine = sine + 1
    angle = k * base ** (-sine / d_model)
    matrix = np.zeros((d_model, d_model), np.float32)
    matrix[sine, sine] = matrix[cosine, cosine] = np.cos(angle)
    matrix[sine, cosine] = matrix[cosine, sine] = np.sin(angle)
    return matrix
