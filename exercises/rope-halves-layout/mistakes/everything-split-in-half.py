# framework: numpy
# verdict: runtime_error
"""You cut all `d` columns in half, whatever `rotary_dim` is. Only the first `rotary_dim` turn: their halves are
`x[..., :h]` and `x[..., h:rotary_dim]` with `h = rotary_dim // 2`, and the columns behind them stay."""

import numpy as np


def rotate_halves(x, positions, rotary_dim, base):
    d = x.shape[-1]
    half = d // 2
    theta = base ** (-2 * np.arange(half) / d)
    angle = positions[:, None] * theta
    cos, sin = np.cos(angle), np.sin(angle)
    first, second = x[..., :half], x[..., half:]
    return np.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1).astype(np.float32)
