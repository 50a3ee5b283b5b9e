# cause: Rows in which only one token is allowed are set to 0, but such a row is the value of that token, like any other row.
# names: (only|just|single|one) (one )?(token|true|allowed).{0,80}(0\b|zero|blank|like any other|wrong)|leave .{0,60}(out|away)|line 11 .{0,60}(out|away|remove|should not)
import numpy as np


def attention(q, k, v, mask=None):
    scores = q @ k.T / np.float32(np.sqrt(q.shape[1]))
    if mask is not None:
        scores = np.where(mask, scores, np.float32(-np.inf))
    w = np.exp(scores - scores.max(axis=1, keepdims=True))
    out = w / w.sum(axis=1, keepdims=True) @ v
    if mask is not None:
        out[mask.sum(axis=1) == 1] = 0   # nothing to average
    return out
