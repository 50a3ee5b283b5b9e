# allowed: wrong_answer
# 0-d / scalar broadcast.
# As before: nothing broadcasts.

import numpy as np
def solve(x): return np.float64(1.0 / np.shape(x)[-1])
