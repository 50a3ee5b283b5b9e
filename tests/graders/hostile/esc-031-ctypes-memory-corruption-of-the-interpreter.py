# allowed: runtime_error
# ctypes memory corruption of the interpreter.
# It breaks its own interpreter, and nobody else's.

import ctypes
def solve(x):
    ctypes.memset(id(1), 0x41, 32)
    ctypes.memset(id(None), 0, 16)
    return 1
