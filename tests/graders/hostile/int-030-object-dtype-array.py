# allowed: wrong_answer, runtime_error
# Object dtype array.
# The list of dtypes has no object.

import numpy as np
def solve(x):
    a = np.empty(np.shape(x), dtype=object); a[...] = [[type("Z", (), {"__eq__": lambda s, o: True})()]]
    return a
