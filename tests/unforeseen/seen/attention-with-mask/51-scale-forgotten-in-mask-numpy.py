# cause: masked scores are set to -1e9 after scaling is fine; but the mask is applied with the branches of where exchanged.
# names: invert|exchanged|swapped|branches|the wrong way|True
import numpy as np


def attention(q, k, v, mask=None):
    scores = q @ k.T / np.sqrt(q.shape[1])
    if mask is not None:
        scores = np.where(mask, -np.inf, scores)
    scores = scores - scores.max(axis=1, keepdims=True)
    w = np.exp(scores)
    return (w / w.sum(axis=1, keepdims=True) @ v).astype(np.float32)
