"""Layer normalisation over the last axis, with the variance of the centred numbers."""

import numpy as np


def layer_norm(x, scale, shift, eps):
    """out = scale * (x - mean) / sqrt(variance + eps) + shift, for each token by itself

    >>> ones, zeros = np.ones(2, np.float32), np.zeros(2, np.float32)
    >>> layer_norm(np.array([[[1.0, 3.0]]], dtype=np.float32), ones, zeros, 0.0)
    array([[[-1.,  1.]]], dtype=float32)
    """
    centred = x - x.mean(axis=-1, keepdims=True)                # (B, T, D) - (B, T, 1)
    variance = (centred**2).mean(axis=-1, keepdims=True)        # (B, T, 1)
    return scale * centred / np.sqrt(variance + eps) + shift    # (B, T, D); scale and shift are (D,)
