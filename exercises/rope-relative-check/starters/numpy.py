import numpy as np


def rope_relative_check(
    q: np.ndarray,
    k: np.ndarray,
    rotated_q: np.ndarray,
    rotated_k: np.ndarray,
    base: float,
) -> dict[str, np.ndarray]:
    """For each distance: how far its scores are apart, and from RoPE's.

    q, k:                 (d,) float64
    rotated_q, rotated_k: (T, d) float64, at positions 0 to T - 1
    returns:              "spread" and "error", (2T - 1,) float64 each
    """
    # 1. All scores: (T, T), row m for the query, column n for the key.
    # 2. What each distance n - m should score: (2T - 1,).
    # 3. The scores of each distance lie on a diagonal.
    raise NotImplementedError("write steps 1 to 3")
