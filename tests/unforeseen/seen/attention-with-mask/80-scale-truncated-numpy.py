# cause: The scale is int(sqrt(D)), cut to a whole number, which is wrong unless D is a square.
# names: int\b|whole number|trunc|cut|round
import numpy as np


def attention(q, k, v, mask=None):
    d = int(np.sqrt(q.shape[1]))
    scores = q @ k.T / np.float32(d)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf).astype(np.float32)
    w = np.exp(scores - scores.max(axis=1, keepdims=True))
    w /= w.sum(axis=1, keepdims=True)
    return w @ v
