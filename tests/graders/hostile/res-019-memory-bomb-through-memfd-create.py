# allowed: memory_limit, runtime_error, output_limit
# Memory bomb through memfd_create.
# A file without a name is memory that no limit counts: the filter refuses it.

import os
def solve(x):
    fd = os.memfd_create("x")
    b = b"\1" * (1 << 20)
    while True: os.write(fd, b)
