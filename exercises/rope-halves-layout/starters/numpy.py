import numpy as np


def rotate_halves(
    x: np.ndarray, positions: np.ndarray, rotary_dim: int, base: float
) -> np.ndarray:
    """Turn columns i and i + rotary_dim / 2 of the first rotary_dim.

    x:         (N, H, T, d) float32
    positions: (T,) int32
    returns:   (N, H, T, d) float32
    """
    # 1. The angles: (T, rotary_dim / 2).
    # 2. Both halves of the first rotary_dim columns, and the rest.
    # 3. Turn the pairs, and join the three parts.
    raise NotImplementedError("write steps 1 to 3")
