# allowed: wrong_answer
# Every operation of futexes that are not private, on a page of libc's file, which all boxes share.
# None is performed: waits end at once or by our own wakes, and the rest are refused.

import ctypes, platform
libc = ctypes.CDLL(None, use_errno=True)
call = {"x86_64": 202, "aarch64": 98}[platform.machine()]
page = ctypes.cast(libc.printf, ctypes.c_void_p).value & ~4095
soon = (ctypes.c_long * 2)(0, 1_000_000)
def solve(x):
    for realtime in (0, 256):
        for operation in range(16):
            word = ctypes.c_uint.from_address(page).value
            got = libc.syscall(call, ctypes.c_void_p(page), operation | realtime, word, soon, ctypes.c_void_p(page + 8), -1)
            if got > 0: print("BREACH", operation, got)
    if libc.syscall(449, soon, 1, 0, None, 0) >= 0: print("BREACH futex_waitv")
    return x
