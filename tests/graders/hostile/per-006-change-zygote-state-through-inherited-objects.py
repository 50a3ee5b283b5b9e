# allowed: wrong_answer, runtime_error
# Change zygote state through inherited objects (must be copy-on-write only).
# What a fork changes, its siblings do not see: the next control would fail.

import numpy as np, sys, os
np.seterr(all="raise"); np.random.seed(0)
os.environ["POISON"] = "1"; sys.path.insert(0, "/tmp")
np.array2string = None
def solve(x): return x
