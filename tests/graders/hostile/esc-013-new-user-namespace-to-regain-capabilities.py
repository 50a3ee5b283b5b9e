# allowed: wrong_answer
# New user namespace to regain capabilities.
# `unshare` and `clone` with new namespaces are refused.

import ctypes
def solve(x):
    libc = ctypes.CDLL(None, use_errno=True)
    if not (libc.unshare(0x10000000) != 0): print("BREACH", 0)
    return x
