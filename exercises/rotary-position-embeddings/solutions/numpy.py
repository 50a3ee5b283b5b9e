# framework: numpy
import numpy as np


def rotary_position_embeddings(x, positions, base):
    N, T, d = x.shape
    theta = base ** (-np.arange(0, d, 2) / d)                       # (d/2,)
    angle = positions[:, :, None] * theta                           # (N, T, d/2)
    cos, sin = np.cos(angle), np.sin(angle)
    even, odd = x[:, :, 0::2], x[:, :, 1::2]                        # (N, T, d/2) each
    pairs = np.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1)  # (N, T, d/2, 2)
    return pairs.reshape(N, T, d).astype(np.float32)
