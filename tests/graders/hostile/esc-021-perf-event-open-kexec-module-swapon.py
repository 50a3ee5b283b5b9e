# allowed: wrong_answer, runtime_error
# perf_event_open / kexec / module / swapon / clock_settime / reboot.
# Whatever is not on the list is refused.

import ctypes
def solve(x):
    l = ctypes.CDLL(None)
    for nr in (298, 246, 175, 313, 167, 227, 169, 155, 161, 165, 166, 272, 310, 311, 101):
        l.syscall(nr, 0, 0, 0, 0, 0)
    return x
