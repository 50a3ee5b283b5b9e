import numpy as np


def layer_norm(x: np.ndarray, scale: np.ndarray, shift: np.ndarray, eps: float) -> np.ndarray:
    """Normalise each token over its features, then scale and shift each feature.

    x:       (B, T, D) float32
    scale:   (D,) float32
    shift:   (D,) float32
    eps:     added to the variance
    returns: (B, T, D) float32
    """
    raise NotImplementedError("return the normalised tokens, scaled and shifted")
