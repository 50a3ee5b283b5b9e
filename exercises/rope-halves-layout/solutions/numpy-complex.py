# framework: numpy
import numpy as np


def rotate_halves(x, positions, rotary_dim, base):
    half = rotary_dim // 2
    theta = base ** (-np.arange(half) / half)
    turn = np.exp(1j * positions[:, None] * theta)                  # (T, half) complex
    pairs = (x[..., :half] + 1j * x[..., half:rotary_dim]) * turn   # (N, H, T, half) complex
    parts = [pairs.real, pairs.imag, x[..., rotary_dim:]]
    return np.concatenate(parts, axis=-1).astype(np.float32)
