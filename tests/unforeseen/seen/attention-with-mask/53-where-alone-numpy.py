# cause: np.where(...) stands alone; its result is not kept.
# names: thrown away|dropped|no effect|does nothing|returns a new|is lost
import numpy as np


def attention(q, k, v, mask=None):
    scores = q @ k.T / np.sqrt(np.float32(q.shape[1]))
    if mask is not None:
        np.where(mask, scores, -np.inf)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) @ v
