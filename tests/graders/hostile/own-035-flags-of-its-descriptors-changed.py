# allowed: runtime_error, wrong_answer
# Its descriptors are made not to wait and to raise signals, in the hope that the judge shares their state.
# Both ends of a pair have a state of their own.

import fcntl, os
def solve(x):
    for fd in (0, 1, 2, 3):
        for flags in (os.O_NONBLOCK, os.O_ASYNC | os.O_NONBLOCK, os.O_APPEND | os.O_NONBLOCK):
            try: fcntl.fcntl(fd, fcntl.F_SETFL, flags)
            except OSError: pass
        for command, value in ((8, 1), (10, 9), (1031, 1 << 30), (1024, 0)):
            try: fcntl.fcntl(fd, command, value)
            except OSError: pass
    return x
