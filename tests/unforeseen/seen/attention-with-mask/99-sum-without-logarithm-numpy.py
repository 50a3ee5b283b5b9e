# cause: In the log-sum-exp form the logarithm of the sum is missing: the sum itself is added to the maximum and subtracted in the exponent.
# names: log(arithm|\b|sum)|np\.log|\.log\(
import numpy as np


def attention(q, k, v, mask=None):
    scores = q @ k.T / np.float32(np.sqrt(q.shape[1]))
    if mask is not None:
        scores = np.where(mask, scores, np.float32(-np.inf))
    top = np.max(scores, axis=-1, keepdims=True)
    lse = top + np.sum(np.exp(scores - top), axis=-1, keepdims=True)
    return np.exp(scores - lse) @ v
