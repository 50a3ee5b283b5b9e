# framework: numpy
import math

import numpy as np


def wavelengths(d_model, base):
    ratio = base ** (2 / d_model)           # each wavelength is this many times the one before
    found = [2 * math.pi]
    while len(found) < d_model // 2:
        found.append(found[-1] * ratio)
    return np.array(found, dtype=np.float32)
