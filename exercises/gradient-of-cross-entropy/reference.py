"""The gradient of the mean cross-entropy by the scores: softmax minus one-hot, divided by the number of rows."""

import numpy as np


def cross_entropy_gradient(logits, labels):
    """out[n, c] = (p[n, c] - (1 if c is the label of row n, else 0)) / N

    >>> cross_entropy_gradient(np.array([[0.0, 0.0], [0.0, np.log(3.0)]]), np.array([0, 1]))
    array([[-0.25 ,  0.25 ],
           [ 0.125, -0.125]])
    """
    N = logits.shape[0]
    e = np.exp(logits - logits.max(axis=1, keepdims=True))  # (N, C), at most 1
    gradient = e / e.sum(axis=1, keepdims=True)             # (N, C), the probabilities
    gradient[np.arange(N), labels] -= 1                     # one place in each row
    return gradient / N                                     # (N, C), rows sum to 0
