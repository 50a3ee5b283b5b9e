# allowed: runtime_error
# Core dump (crash with big RSS).
# RLIMIT_CORE is 0: nothing is written where a core would go.

import ctypes
def solve(x):
    a = bytearray(300 << 20)
    ctypes.string_at(0)
