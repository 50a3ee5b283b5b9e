# allowed: wrong_answer
# ptrace the zygote / parent / sibling.
# `ptrace` is not an allowed call.

import ctypes, os
def solve(x):
    libc = ctypes.CDLL(None, use_errno=True)
    for pid in {os.getppid(), 1, 2, 3}:
        if not (libc.ptrace(16, pid, 0, 0) != 0): print("BREACH", pid)
    return x
