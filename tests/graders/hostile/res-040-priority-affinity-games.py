# allowed: time_limit
# Priority / affinity games.
# Refused calls; time is up as for anybody.

import os
def solve(x):
    try: os.nice(-20)
    except OSError: pass
    try: os.sched_setaffinity(0, range(256))
    except OSError: pass
    try: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(99))
    except OSError: pass
    while True: pass
