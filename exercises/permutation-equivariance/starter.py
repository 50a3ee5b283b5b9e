import numpy as np


def order_gap(
    x: np.ndarray,
    positions: np.ndarray | None,
    w_q: np.ndarray,
    w_k: np.ndarray,
    w_v: np.ndarray,
    permutation: np.ndarray,
) -> tuple[np.ndarray, float]:
    """Attention on the permuted tokens, and its largest distance from the permuted answers.

    x:             (T, d_model) float32
    positions:     (T, d_model) float32, or None
    w_q, w_k, w_v: (d_model, D) float32
    permutation:   (T,) int32
    returns:       output (T, D) float32, gap: one number
    """
    raise NotImplementedError("return the output and the gap")
