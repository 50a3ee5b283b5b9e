# allowed: memory_limit, runtime_error, time_limit
# Memory bomb through MAP_SHARED|ANON (not counted by RLIMIT_DATA).
# Shared pages are counted by no limit of a process: the filter refuses them.

import mmap
def solve(x):
    m = mmap.mmap(-1, 16 << 30)
    for i in range(0, 16 << 30, 4096): m[i] = 1
