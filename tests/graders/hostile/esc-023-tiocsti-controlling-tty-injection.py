# allowed: wrong_answer
# TIOCSTI / controlling tty injection.
# Descriptors are pipes and /dev/null, never a terminal; and the request is not on the list.

import fcntl, os
def solve(x):
    for fd in (0, 1, 2):
        for b in b"id\n":
            try: fcntl.ioctl(fd, 0x5412, bytes([b])); print("BREACH TIOCSTI")
            except OSError: pass
    return x
