# allowed: wrong_answer, runtime_error
# Numeric duck type (abs/sub/lt overridden).
# As before; a subclass loses its class in the runner.

import numpy as np
class Evil(np.float64):
    def __abs__(self): return self
    def __sub__(self, o): return self
    def __rsub__(self, o): return self
    def __lt__(self, o): return True
    def __le__(self, o): return True
def solve(x): return Evil(1.0)
