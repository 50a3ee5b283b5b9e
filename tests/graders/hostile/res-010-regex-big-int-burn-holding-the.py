# allowed: time_limit
# Regex / big-int burn holding the GIL.
# The GIL is held throughout; a watchdog thread inside would never get its turn.

import re
def solve(x):
    re.match(r"(a+)+$", "a" * 64 + "b")
