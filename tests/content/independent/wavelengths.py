"""Vaswani et al. 2017, section 3.5: in float64, a point of each column's wave gives its angle per position, and a full
turn divided by that angle is the wavelength."""

import math
from typing import Any

import numpy as np


def expected(d_model: int, base: float) -> Any:
    found = []
    for column in range(0, d_model, 2):
        sine = math.sin(1e-6 / math.pow(base, column / d_model))
        cosine = math.cos(1e-6 / math.pow(base, column / d_model))
        found.append(2 * math.pi * 1e-6 / math.atan2(sine, cosine))
    return np.array(found, dtype=np.float32)
