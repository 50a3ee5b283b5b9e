# framework: numpy
"""Your angles belong to neighbouring columns, but you swap the two halves of each vector, as code for the halves layout
does. Swap neighbours instead: column `2i` takes `-x[..., 2i + 1]`, column `2i + 1` takes `x[..., 2i]`."""

import numpy as np


def rotary_position_embeddings(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-2 * (np.arange(d) // 2) / d)
    angle = positions[..., None] * theta
    turned = np.concatenate([-x[..., d // 2 :], x[..., : d // 2]], axis=-1)
    return (x * np.cos(angle) + turned * np.sin(angle)).astype(np.float32)
