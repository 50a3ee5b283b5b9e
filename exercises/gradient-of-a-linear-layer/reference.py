"""The backward pass of y = x @ W + b."""

import numpy as np


def linear_gradients(x, W, dy):
    """Gradients of a loss by x, W and b, from its gradient dy by y = x @ W + b

    >>> x, W = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32), np.array([[5.0], [6.0]], np.float32)
    >>> gradients = linear_gradients(x, W, np.array([[1.0], [10.0]], np.float32))
    >>> gradients["dW"]
    array([[31.],
           [42.]], dtype=float32)
    """
    return {
        "dx": dy @ W.T,             # (N, O) @ (O, I) -> (N, I)
        "dW": x.T @ dy,             # (I, N) @ (N, O) -> (I, O): summed over the rows
        "db": np.sum(dy, axis=0),   # (O,): every row has the same bias
    }
