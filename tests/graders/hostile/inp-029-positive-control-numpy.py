# allowed: accepted
# Positive control numpy.
# The control: judged after every other.

import numpy as np
def solve(x):
    x = np.asarray(x, float); e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
