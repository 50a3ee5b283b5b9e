"""All numbers get the same noise. Draw as many numbers as `x` has."""

import numpy as np


def jitter(x, scale=1.0):
    return x + scale * np.random.standard_normal()
