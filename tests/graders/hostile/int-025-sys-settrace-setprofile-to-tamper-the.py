# allowed: wrong_answer, runtime_error, time_limit
# sys.settrace / setprofile to tamper the runner.
# There is no verdict here to tamper with.

import sys
def tr(f, e, a):
    for k in list(f.f_locals):
        if k in ("ok", "passed", "score"): f.f_locals[k] = True
    return tr
sys.settrace(tr); sys.setprofile(tr)
def solve(x): return x
