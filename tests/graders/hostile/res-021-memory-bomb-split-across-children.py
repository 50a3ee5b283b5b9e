# allowed: memory_limit, time_limit, runtime_error
# Memory bomb split across children (per-process limit evaded).
# A limit for each process would be evaded by many: there is only one process.

import os, time
def solve(x):
    for _ in range(32):
        if os.fork() == 0:
            a = bytearray(200 << 20); time.sleep(60)
    time.sleep(60)
