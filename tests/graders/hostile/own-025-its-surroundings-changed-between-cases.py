# allowed: wrong_answer, runtime_error
# Environment, folder, modules, hooks and random state are changed for the next case.
# They are this box's, which ends with the submission: the next control would fail.

import builtins, os, sys
import numpy as np
def solve(x):
    os.environ.clear(); os.environ["LD_PRELOAD"] = "/box/evil.so"; os.environ["PYTHONPATH"] = "/box"
    os.chdir("/"); os.umask(0)
    sys.path[:] = ["/box"]; sys.meta_path.clear(); sys.excepthook = sys.displayhook = lambda *given: None
    builtins.isinstance = lambda *given: True
    builtins.type = lambda *given: np.ndarray
    np.random.seed(0); np.seterr(all="ignore")
    sys.setswitchinterval(100)
    return x
