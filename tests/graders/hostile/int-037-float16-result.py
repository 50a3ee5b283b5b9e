# allowed: wrong_answer
# float16 result (precision downgrade / overflow).
# As before, and the cases have numbers that half precision cannot hold.

import numpy as np
def solve(x):
    x = np.asarray(x, np.float16); e = np.exp(x); return (e / e.sum(-1, keepdims=True)).astype(np.float16)
