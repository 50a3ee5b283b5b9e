# cause: Masked weights are set to 0 after the softmax, so the rest no longer sum to 1.
# names: sum to|normalis|before the softmax|after
import numpy as np


def attention(q, k, v, mask=None):
    scores = q @ k.T / np.sqrt(np.float32(q.shape[1]))
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    w = e / e.sum(axis=1, keepdims=True)
    if mask is not None:
        w[~mask] = 0
    return w @ v
