# allowed: wrong_answer
# Return stale memory (np.empty hoping it holds the answer).
# The answer was never in this memory.

import numpy as np
def solve(x): return np.empty(np.shape(x))
