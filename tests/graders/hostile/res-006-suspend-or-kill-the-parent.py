# allowed: wrong_answer, runtime_error
# Suspend or kill the parent.
# There is no one to signal: `kill` is not among the allowed calls, and the parent is in another pid namespace.

import os, signal
def solve(x):
    for s in (signal.SIGSTOP, signal.SIGKILL):
        try: os.kill(os.getppid(), s)
        except OSError: pass
    return x
