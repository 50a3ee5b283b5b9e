# framework: numpy
import numpy as np


def causal_mask(scores):
    position = np.arange(scores.shape[-1])
    later = position[None, :] > position[:, None]               # (T, T): key after query
    return np.where(later, np.float32(-np.inf), scores)         # (B, H, T, T)
