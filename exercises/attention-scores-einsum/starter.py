import numpy as np


def attention_scores(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    """Compare every query with every key, head by head.

    q:       (B, T, H, d) float32
    k:       (B, S, H, d) float32
    returns: (B, H, T, S) float32, scaled dot products
    """
    raise NotImplementedError("return the scaled dot products")
