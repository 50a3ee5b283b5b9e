# allowed: runtime_error
# Exit codes that mean something to wrappers (124, 125, 126, 127, 137, 255).
# How it ended comes from the kernel, not from a number that it chose.

import os
def solve(x): os._exit(137)
