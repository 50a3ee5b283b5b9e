# allowed: time_limit, runtime_error
# Fork bomb with setsid + double fork (escapes process-group kill).
# `clone` only makes threads: there is no child that could leave the group.

import os
def solve(x):
    while True:
        try:
            if os.fork() == 0:
                os.setsid()
                if os.fork(): os._exit(0)
        except OSError: pass
