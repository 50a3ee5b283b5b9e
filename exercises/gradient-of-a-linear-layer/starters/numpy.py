import numpy as np


def linear_gradients(x: np.ndarray, W: np.ndarray, dy: np.ndarray) -> dict[str, np.ndarray]:
    """Send the gradient of y = x @ W + b on to x, W and b.

    x:       (N, I) float32
    W:       (I, O) float32
    dy:      (N, O) float32, the gradient of the loss by y
    returns: {"dx": (N, I), "dW": (I, O), "db": (O,)}, float32
    """
    raise NotImplementedError("return the three gradients")
