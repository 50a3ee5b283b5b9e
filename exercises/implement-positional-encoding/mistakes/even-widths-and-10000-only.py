# framework: numpy
# verdict: runtime_error
"""Right for an even `d_model` and a base of 10000. Two things are left: use `base` where you wrote 10000, and with
an odd `d_model` keep only the first `d_model // 2` angles for the cosines."""

import numpy as np


def positional_encoding(max_len, d_model, base=10000.0):
    position = np.arange(max_len)[:, None]
    omega = np.exp(np.arange(0, d_model, 2) * (-np.log(10000.0) / d_model))
    table = np.zeros((max_len, d_model), dtype=np.float32)
    table[:, 0::2] = np.sin(position * omega)
    table[:, 1::2] = np.cos(position * omega)
    return table
