# cause: np.nan_to_num of the scores turns -inf into the most negative number, ok, but +; scores are clipped to +-500, so ranges beyond are cut off
# names: clip|cut|bound|500|limit
import numpy as np


def solve(x):
    x = np.clip(x, -500, 500)
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
