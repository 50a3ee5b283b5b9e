# allowed: wrong_answer
# bpf().
# Refused.

import ctypes
def solve(x):
    if not (ctypes.CDLL(None).syscall(321, 0, b"\0" * 128, 128) < 0): print("BREACH", 0)
    return x
