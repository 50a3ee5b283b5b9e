# framework: numpy
# verdict: runtime_error
"""With an odd `d_model` there is one cosine column less than there are sine columns, so the angles do not fit
`table[:, 1::2]`. Keep the first `d_model // 2` angles for the cosines."""

import numpy as np


def positional_encoding(max_len, d_model, base=10000.0):
    position = np.arange(max_len)[:, None]
    angle = position / base ** (np.arange(0, d_model, 2) / d_model)
    table = np.zeros((max_len, d_model), dtype=np.float32)
    table[:, 0::2] = np.sin(angle)
    table[:, 1::2] = np.cos(angle)
    return table
