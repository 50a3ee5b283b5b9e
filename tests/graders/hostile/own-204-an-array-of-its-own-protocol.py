# allowed: wrong_answer, runtime_error
# Objects that say they are arrays: by __array__, by an interface with an address, by dtype and shape.
# An array is one of the three frameworks' own types.
# exercise: running-mean

import numpy as np
class Like:
    dtype, shape, ndim, nbytes, size = np.dtype(float), (), 0, 8, 1
    __array__ = lambda self, *_, **__: np.float64(3.0)
    __array_interface__ = {"version": 3, "shape": (1,), "typestr": "<f8", "data": (4096, True)}
    tobytes = lambda self, *_: b"\0" * 8
    item = lambda self: 3.0
class RunningMean:
    count = mean = Like()
    def add(self, number): pass
def means(numbers): return [Like(), np.array([Like()], object), np.ma.masked]
