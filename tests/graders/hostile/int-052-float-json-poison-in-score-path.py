# allowed: wrong_answer
# Float/JSON poison in score path (NaN, 1e999, -0.0, huge ints).
# Every score is 0 to 1 and every result plain JSON: the test asks it of each file here, and this one tries.

import numpy as np
_n = 0
def solve(x):
    global _n; _n += 1
    return [np.full(x.shape, np.nan), np.full(x.shape, np.inf), np.full(x.shape, -0.0), np.full(x.shape, 1.7e308),
            float("nan"), 10 ** 2000, -float("inf"), {"score": float("nan")}, [1e999]][_n % 9]
