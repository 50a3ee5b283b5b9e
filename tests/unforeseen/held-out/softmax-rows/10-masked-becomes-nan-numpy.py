# cause: The -inf scores are replaced by NaN and skipped with nanmax and nansum, but their own weights stay NaN when they have to be 0.
# names: nan(max|sum)|replac\w*.{0,40}\bnan\b|\bnan\b.{0,60}(mask|-inf|infin|skipped)|(mask|-inf|infin).{0,60}\bnan\b|no special care
import numpy as np


def solve(x):
    scores = np.where(np.isneginf(x), np.nan, x)      # leave masked ones out
    biggest = np.nanmax(scores, axis=1, keepdims=True)
    e = np.exp(scores - biggest)
    return e / np.nansum(e, axis=1, keepdims=True)
