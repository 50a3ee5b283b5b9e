# cause: The largest score is not subtracted before exp, so large scores overflow (only hidden cases have such).
# names: overflow|subtract|infinit|NaN
import numpy as np


def attention(q, k, v, mask=None):
    scores = q @ k.T / np.sqrt(np.float32(q.shape[1]))
    e = np.exp(scores)
    if mask is not None:
        e = e * mask
    return e / e.sum(axis=1, keepdims=True) @ v
