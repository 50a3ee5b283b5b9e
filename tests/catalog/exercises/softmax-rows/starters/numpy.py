import numpy as np


def solve(x: np.ndarray) -> np.ndarray:
    """Turn each row of scores into weights that sum to one.

    x:       (N, C) float64
    returns: (N, C) float64
    """
    raise NotImplementedError("return the softmax of every row")
