# cause: k @ q.T in place of q @ k.T.
# names: exchanged|transpos|swapped|turned
import numpy as np


def attention(q, k, v, mask=None):
    scores = k @ q.T / np.sqrt(np.float32(q.shape[1]))
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True) @ v).astype(np.float32)
