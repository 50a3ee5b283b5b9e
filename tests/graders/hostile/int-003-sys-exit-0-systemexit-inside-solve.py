# allowed: runtime_error
# sys.exit(0) / SystemExit inside solve.
# No value came back.

import sys
def solve(x):
    sys.exit(0)
