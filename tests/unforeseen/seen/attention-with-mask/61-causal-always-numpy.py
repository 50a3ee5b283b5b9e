# cause: The function makes its own causal mask and ignores the one given
# names: mask|depend
import numpy as np


def attention(q, k, v, mask=None):
    T = len(q)
    scores = q @ k.T / np.sqrt(np.float32(q.shape[1]))
    if mask is not None:
        scores = np.where(np.tril(np.ones((T, T), bool)), scores, -np.inf)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True) @ v).astype(np.float32)
