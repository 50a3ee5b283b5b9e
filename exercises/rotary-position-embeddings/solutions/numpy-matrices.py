# framework: numpy
import numpy as np


def rotary_position_embeddings(x, positions, base):
    N, T, d = x.shape
    theta = base ** (-np.arange(0, d, 2) / d)                       # (d/2,)
    angle = positions[:, :, None] * theta                           # (N, T, d/2)
    cos, sin = np.cos(angle), np.sin(angle)
    rotation = np.array([[cos, -sin], [sin, cos]])                  # (2, 2, N, T, d/2)
    pairs = x.reshape(N, T, d // 2, 2)
    turned = np.einsum("abnti,ntib->ntia", rotation, pairs)         # (N, T, d/2, 2)
    return turned.reshape(N, T, d).astype(np.float32)
