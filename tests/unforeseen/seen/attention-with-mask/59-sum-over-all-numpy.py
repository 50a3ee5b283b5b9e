# cause: The weights are divided by the sum over the whole matrix.
# names: whole|all|row|sum|axis
import numpy as np


def attention(q, k, v, mask=None):
    scores = q @ k.T / np.sqrt(np.float32(q.shape[1]))
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    e = np.exp(scores - scores.max())
    return (e / e.sum() @ v).astype(np.float32)
