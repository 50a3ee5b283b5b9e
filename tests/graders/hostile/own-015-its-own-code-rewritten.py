# allowed: runtime_error, wrong_answer
# It writes to its own code through /proc/self/mem, which asks no page for its rights.
# It is not dumpable, so that the file is root's; and what it would rewrite is its own.

import ctypes, os
def solve(x):
    libc = ctypes.CDLL(None)
    at = ctypes.cast(libc.write, ctypes.c_void_p).value
    for path in ("/proc/self/mem", f"/proc/{os.getpid()}/mem", "/proc/thread-self/mem"):
        with open(path, "r+b", 0) as memory:
            memory.seek(at)
            memory.write(b"\xb8\x01\x00\x00\x00\xc3")
    return x
