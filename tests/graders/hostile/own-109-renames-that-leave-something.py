# allowed: wrong_answer
# renameat2 that leaves a device file behind (whiteout) or swaps two names at once.
# A rename puts one name in another's place, or nothing.

import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def solve(x):
    try:
        for name in "ab": open(f"/box/{name}", "w").close()
    except OSError: pass
    for flags in (2, 4, 5, 6, 8, 1 << 31):
        if libc.renameat2(-100, b"/box/a", -100, b"/box/b", flags) == 0: print("BREACH", flags)
    return x
