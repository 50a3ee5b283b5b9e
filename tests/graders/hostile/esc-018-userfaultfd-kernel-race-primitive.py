# allowed: wrong_answer
# userfaultfd (kernel race primitive).
# Refused: a box needs no page-fault handler.

import ctypes
def solve(x):
    if not (ctypes.CDLL(None).syscall(323, 1) < 0): print("BREACH", 0)
    return x
