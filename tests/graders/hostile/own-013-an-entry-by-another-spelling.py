# allowed: accepted
# A control: ſolve, with a long s, is how Python spells solve too (NFKC).
# Names are Python's: it is found, and judged like any other.

import numpy as np
def ſolve(ｘ):
    ｅ = np.exp(ｘ - ｘ.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
