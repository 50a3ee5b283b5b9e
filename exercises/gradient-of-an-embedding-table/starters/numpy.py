import numpy as np


def embedding_gradient(
    ids: np.ndarray, upstream: np.ndarray, max_len: int
) -> np.ndarray:
    """The gradient of the loss with respect to the table.

    ids:      (N, T) int32, from 0 to max_len - 1
    upstream: (N, T, d_model) float32, the gradient at the rows
              that were looked up
    returns:  (max_len, d_model) float32
    """
    raise NotImplementedError("collect the gradients row by row")
