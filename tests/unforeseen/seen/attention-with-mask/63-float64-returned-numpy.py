# cause: math.sqrt fine; the result is float64 since np.sqrt of a Python int... fill with np.float64 array
# names: float64|float32|dtype
import numpy as np


def attention(q, k, v, mask=None):
    scores = q.astype(np.float64) @ k.T / np.sqrt(q.shape[1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) @ v
