# allowed: wrong_answer
# clone() that makes a thread and, in the same call, namespaces, a sibling of the box, or a process that is traced.
# What is allowed is what pthread_create asks for, bit by bit.

import ctypes, platform
libc = ctypes.CDLL(None, use_errno=True)
call = {"x86_64": 56, "aarch64": 220}[platform.machine()]
thread = 0x003D0F00
def solve(x):
    extra = (0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000, 0x2000000, 0x80, 0x1000, 0x2000, 0x8000, 17)
    for flags in [thread | bit for bit in extra] + [0x10000 | bit for bit in extra] + [17, 0x4111, 0x100 | 0x10000]:
        if libc.syscall(call, flags, 0, 0, 0, 0) >= 0: print("BREACH", hex(flags))
    for flags in extra:
        if libc.unshare(flags) == 0: print("BREACH unshare", hex(flags))
    return x
