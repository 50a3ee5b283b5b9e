# allowed: invalid_submission, runtime_error
# A module whose __getattr__ asks for itself, and which has no entry point otherwise.
# The entry point is looked up where definitions are, which runs nothing of the student's.

import sys
sys.setrecursionlimit(1 << 30)
def __getattr__(name):
    return getattr(sys.modules["submission"], name)
def __dir__():
    return __dir__()
