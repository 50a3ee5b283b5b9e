# allowed: wrong_answer
# ASLR reuse: print addresses.
# Accepted: boxes of one zygote share a layout. What it could serve, a memory bug in a neighbour, has no way there.

import ctypes
def solve(x):
    print(hex(id(object())), hex(ctypes.cast(ctypes.CDLL(None).system, ctypes.c_void_p).value))
    return x
