# allowed: wrong_answer, runtime_error
# Lazy object: computes nothing until compared, then reads the expected value.
# It is made into bytes in the box, where there is no expected value.

import numpy as np, inspect
class Lazy:
    def __array__(self, dtype=None, copy=None):
        for f in inspect.stack():
            for v in f.frame.f_locals.values():
                if isinstance(v, np.ndarray): return v
        return np.zeros(1)
def solve(x): return Lazy()
