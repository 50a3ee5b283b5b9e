# allowed: wrong_answer, runtime_error
# fd exhaustion.
# RLIMIT_NOFILE; the channel is open already.

import os
def solve(x):
    fds = []
    while True:
        try: fds.append(os.open("/dev/null", os.O_RDONLY))
        except OSError: return x
