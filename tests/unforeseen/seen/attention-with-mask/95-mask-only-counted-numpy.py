# cause: Of each row of the mask only the number of True is used, and the token looks at the first so many; which tokens are allowed is in the mask itself.
# names: (number|count|sum|how many).{0,60}(true|mask|allowed)|mask.{0,60}(count|number|sum|how many|itself|as it is|other (entries|places))|first so many
import numpy as np


def attention(q, k, v, mask=None):
    scores = q @ k.T / np.float32(np.sqrt(q.shape[1]))
    if mask is not None:
        lengths = mask.sum(axis=1)
        look = np.arange(len(k))[None, :] < lengths[:, None]
        scores = np.where(look, scores, np.float32(-np.inf))
    w = np.exp(scores - scores.max(axis=1, keepdims=True))
    return w / w.sum(axis=1, keepdims=True) @ v
