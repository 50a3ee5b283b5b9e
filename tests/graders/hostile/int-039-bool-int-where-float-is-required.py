# allowed: wrong_answer
# Bool / int where float is required.
# As before.

import numpy as np
def solve(x): return np.zeros(np.shape(x), dtype=bool)
