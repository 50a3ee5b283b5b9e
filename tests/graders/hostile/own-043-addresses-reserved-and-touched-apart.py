# allowed: memory_limit, runtime_error, time_limit
# Sixty gigabytes of addresses are reserved and one page in each two megabytes is touched: little memory, large tables.
# RLIMIT_AS ends the reserving, and tables of pages are counted as memory.

import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
def solve(x):
    while True:
        start = libc.mmap(None, 4 << 30, 1, 0x4022, -1, 0)
        if start in (None, ctypes.c_void_p(-1).value): raise MemoryError
        for at in range(start, start + (4 << 30), 2 << 20): ctypes.c_char.from_address(at).value
