# allowed: runtime_error
# kill(-1) everything.
# As before, for everybody at once: neighbours with the same uid would die where nothing else held.

import os
def solve(x):
    os.kill(-1, 9)
