# allowed: accepted
# Positive control: multiprocessing / threads used innocently.
# A control: honest threads are not hindered.

import numpy as np
from concurrent.futures import ThreadPoolExecutor
def solve(x):
    x = np.asarray(x, float)
    with ThreadPoolExecutor(4) as p:
        e = np.stack(list(p.map(lambda r: np.exp(r - r.max()), x)))
    return e / e.sum(-1, keepdims=True)
