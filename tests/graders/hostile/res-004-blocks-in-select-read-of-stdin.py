# allowed: time_limit, runtime_error
# Blocks in select / read of stdin.
# Waits for descriptors that never come; its stdin is /dev/null.

import sys, select
def solve(x):
    select.select([], [], [])
    return sys.stdin.read()
