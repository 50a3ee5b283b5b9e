# allowed: wrong_answer
# NaN result against naive max-error comparison.
# A NaN where the reference has none is wrong before any difference is taken.

import numpy as np
def solve(x): return np.full(np.shape(x), np.nan)
