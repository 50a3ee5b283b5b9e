# allowed: wrong_answer, runtime_error
# An object whose __class__, dtype, shape and __array__ say that it is an array.
# It is made into bytes in the box; what comes of it is compared, not the object.

import numpy as np
class Array:
    __class__ = property(lambda self: np.ndarray)
    dtype, shape, ndim, nbytes = np.dtype("float64"), (4, 5), 2, 0
    def __array__(self, dtype=None, copy=None): return np.full((4, 5), 0.2)
    def __array_function__(self, *given): return self
    def __array_ufunc__(self, *given, **named): return True
    def __eq__(self, other): return True
    def __getattr__(self, name): return lambda *given, **named: self
def solve(x): return Array()
