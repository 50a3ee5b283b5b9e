# allowed: time_limit, runtime_error
# It has the kernel end it by a signal, in the hope of looking like a failure of ours, which would be judged again.
# Only a SIGKILL that nobody knows is ours, and none of the allowed calls sends one. In a pid namespace of its own the
# box is the first process, which a signal without a handler does not end: then its time is up.

import signal, time
def solve(x):
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    while True: time.sleep(1)
