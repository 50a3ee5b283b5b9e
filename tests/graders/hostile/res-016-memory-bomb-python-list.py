# allowed: memory_limit, runtime_error
# Memory bomb, Python list.
# RLIMIT_DATA refuses, which Python tells as MemoryError.

def solve(x):
    L = []
    while True: L.append(bytearray(1 << 20))
