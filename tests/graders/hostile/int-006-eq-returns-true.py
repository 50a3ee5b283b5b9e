# allowed: wrong_answer, runtime_error
# __eq__ returns True.
# Nothing is compared with a student's object: what crosses is bytes.

class Yes:
    def __eq__(self, o): return True
    def __ne__(self, o): return False
    def __array__(self, dtype=None, copy=None):
        import numpy as np; return np.zeros((4, 5))
    __hash__ = None
def solve(x): return Yes()
