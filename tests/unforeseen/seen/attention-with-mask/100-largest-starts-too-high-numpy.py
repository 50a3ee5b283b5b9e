# cause: The search for the largest score starts at 200 and not at -inf, so where all scores are lower, 200 is subtracted, every exp is 0 and 0/0 is NaN.
# names: starts (at|from|with)|(largest|maximum|top)`?.{0,60}(starts|begins|stays|never below)|-inf
import numpy as np


def attention(q, k, v, mask=None):
    scores = q @ k.T / np.float32(np.sqrt(q.shape[1]))
    if mask is not None:
        scores = np.where(mask, scores, np.float32(-np.inf))
    out = np.zeros((q.shape[0], v.shape[1]), dtype=np.float32)
    for i in range(len(scores)):
        top, total = 200.0, 0.0
        for score in scores[i]:
            higher = max(top, float(score))
            total = total * np.exp(top - higher) + np.exp(score - np.float32(higher))
            top = higher
        out[i] = (np.exp(scores[i] - np.float32(top)) / np.float32(total)) @ v
    return out
