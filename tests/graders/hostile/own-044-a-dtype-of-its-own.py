# allowed: wrong_answer, runtime_error
# Structured dtypes with titles, overlapping fields and objects inside, byte orders of other machines, dates and text.
# Dtypes come from a list, by name.

import numpy as np
def solve(x):
    kinds = [np.dtype({"names": ["a", "b"], "formats": ["f8", "O"], "offsets": [0, 8]}), np.dtype("V8"), np.dtype("M8[s]"),
             np.dtype("U9"), np.dtype(">c16"), np.dtype("g"), np.dtypes.StringDType()]
    return np.zeros(x.shape, dtype=kinds[(x.shape[0] + x.shape[1]) % len(kinds)])
