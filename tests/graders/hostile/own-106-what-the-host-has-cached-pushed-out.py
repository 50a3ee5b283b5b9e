# allowed: wrong_answer
# Advice that moves pages of the host's cache, or has the kernel compare memory between processes.
# Only advice about one's own memory is taken; the harmless rest is answered as done.

import ctypes, mmap, os
libc = ctypes.CDLL(None, use_errno=True)
file = os.open(os.__file__, os.O_RDONLY)
mapped = mmap.mmap(file, 0, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE)
address = ctypes.addressof(ctypes.c_char.from_buffer(mapped))
def solve(x):
    sum(mapped[::4096])
    for advice in (9, 12, 13, 18, 20, 21, 22, 23, 24, 25, 100, 101, 102):
        if libc.madvise(ctypes.c_void_p(address), 4096, advice) == 0: print("BREACH", advice)
    for advice in (0, 1, 2, 3, 4):
        if libc.madvise(ctypes.c_void_p(address), 4096, advice): print("refused", advice, ctypes.get_errno())
    return x
