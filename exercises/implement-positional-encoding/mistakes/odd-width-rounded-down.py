# framework: numpy
# verdict: runtime_error
"""With an odd `d_model` you have one angle too few for the sines: the last column is a sine without a cosine. Make
`(d_model + 1) // 2` angles, and use the first `d_model // 2` of them for the cosines."""

import numpy as np


def positional_encoding(max_len, d_model, base=10000.0):
    position = np.arange(max_len)[:, None]
    pair = np.arange(d_model // 2)
    angle = position / base ** (2 * pair / d_model)
    table = np.zeros((max_len, d_model), dtype=np.float32)
    table[:, 0::2] = np.sin(angle)
    table[:, 1::2] = np.cos(angle)
    return table
