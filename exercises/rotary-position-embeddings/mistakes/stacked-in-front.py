# framework: numpy
"""You stacked the two results of each pair on a new first axis, so the reshape mixes sentences and tokens. Stack them on a
new last axis, `axis=-1`: then each pair is side by side, and the reshape puts it back in place."""

import numpy as np


def rotary_position_embeddings(x, positions, base):
    theta = base ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])
    angle = positions[..., None] * theta
    cos, sin = np.cos(angle), np.sin(angle)
    even, odd = x[..., 0::2], x[..., 1::2]
    return np.stack([even * cos - odd * sin, even * sin + odd * cos]).reshape(x.shape).astype(np.float32)
