# allowed: runtime_error
# Signals: SIGALRM/SIGSEGV/SIGBUS/SIGUSR1 to self.
# No signal can be sent, even to itself.

import os, signal
def solve(x):
    os.kill(os.getpid(), signal.SIGUSR1); os.kill(os.getpid(), signal.SIGBUS)
