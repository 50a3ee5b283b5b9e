# cause: The weights are divided by sqrt(D) after the softmax, where the scores should be divided before it.
# names: before (the )?(softmax|exp)|after (the )?(softmax|exp)|sqrt\(D\)|too (late|early)|another step
import numpy as np


def attention(q, k, v, mask=None):
    scores = q @ k.T
    if mask is not None:
        scores = np.where(mask, scores, np.float32(-np.inf))
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    weights = weights / np.float32(np.sqrt(q.shape[1]))
    return weights @ v
