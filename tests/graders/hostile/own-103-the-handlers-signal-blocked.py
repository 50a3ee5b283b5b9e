# allowed: runtime_error
# The signal by which shared futexes are made private is blocked, then one is asked for.
# The kernel ends the process then, as it ends any that will not hear: the student's own doing.

import ctypes, platform, signal
libc = ctypes.CDLL(None)
def solve(x):
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGSYS])
    libc.syscall({"x86_64": 202, "aarch64": 98}[platform.machine()], ctypes.byref(ctypes.c_int(0)), 0, 0, None, None, 0)
    return x
