# framework: numpy
r"""Your exponent is $i / d_{\text{model}}$, so the denominators grow only half as fast as they should. It is
$2i / d_{\text{model}}$, with $i$ counting pairs."""

import numpy as np


def positional_encoding(max_len, d_model, base=10000.0):
    position = np.arange(max_len)[:, None]
    column = np.arange(d_model)
    angle = position / base ** (column // 2 / d_model)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle)).astype(np.float32)
