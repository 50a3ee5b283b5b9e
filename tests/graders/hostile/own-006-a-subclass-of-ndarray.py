# allowed: wrong_answer
# A subclass of ndarray in which every comparison is true and every difference is zero.
# A subclass loses its class in the runner, and the comparison is in another process.

import numpy as np
class Same(np.ndarray):
    def __array_ufunc__(self, ufunc, method, *given, **named):
        if method == "__call__" and ufunc in (np.equal, np.less, np.less_equal): return np.bool_(True)
        return np.zeros(self.shape)
    def __eq__(self, other): return np.ones(self.shape, bool)
    def __array_finalize__(self, other): pass
def solve(x): return np.zeros(x.shape).view(Same)
