# allowed: wrong_answer
# Pipes of packets, and pipes on which the kernel tells what happens to keys.
# Only the two flags that libraries set.

import ctypes, fcntl, os
libc = ctypes.CDLL(None, use_errno=True)
def solve(x):
    for flags in (0o200, 0o40000, 0o200000, 0o200 | 0o2000000, 0o20000, 0o10000000):
        pair = (ctypes.c_int * 2)()
        if libc.pipe2(pair, flags) == 0: print("BREACH", oct(flags))
    for end in os.pipe():
        for flags in (0o40000, 0o200000):
            try:
                fcntl.fcntl(end, fcntl.F_SETFL, flags)
                if fcntl.fcntl(end, fcntl.F_GETFL) & os.O_DIRECT: print("BREACH direct")
            except OSError: pass
        try: print("BREACH size", fcntl.fcntl(end, 1031, 1 << 20))
        except OSError: pass
    return x
