# allowed: time_limit
# limits: memory_mb=2048
# CPU burn inside one native call (no bytecode boundary, signal.alarm cannot interrupt).
# No bytecode boundary comes, so that a signal handler inside would never run; SIGKILL from outside does.
# Its three matrices take 864 MB: memory enough is granted, that time is what ends it.

import numpy as np
def solve(x):
    a = np.random.rand(6000, 6000)
    for _ in range(1000): a = a @ a
    return a
