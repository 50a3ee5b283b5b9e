# allowed: time_limit
# Sleep (no CPU used).
# Takes no processor time, so that only the wall clock sees it.

import time
def solve(x):
    time.sleep(3600)
