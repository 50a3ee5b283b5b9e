# allowed: wrong_answer
# Complex result with the right real part.
# Dtypes must be equal: nothing is cast on the way.

import numpy as np
def solve(x):
    x = np.asarray(x, float); e = np.exp(x - x.max(-1, keepdims=True)); y = e / e.sum(-1, keepdims=True)
    return y + 5j
