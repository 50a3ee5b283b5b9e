# cause: np.sqrt of a Python int is a NumPy float64, which makes the scores and the output float64 when float32 is asked for.
# names: float64|double|dtype|float32|64[- ]bit
import numpy as np


def attention(q, k, v, mask=None):
    D = q.shape[-1]
    scores = np.matmul(q, k.T) / np.sqrt(D)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ v
