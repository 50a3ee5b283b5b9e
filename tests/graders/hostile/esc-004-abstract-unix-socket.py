# allowed: runtime_error
# Abstract unix socket (not in the filesystem, follows net ns).
# Abstract names follow the network namespace; and there is no socket.

import socket
def solve(x):
    names = [l.split()[-1] for l in open("/proc/net/unix").read().splitlines()[1:] if "@" in l]
    s = socket.socket(socket.AF_UNIX)
    for n in ["@CANARY_NAME", *names]:
        s.connect("\0" + n[1:]); print("BREACH", n)
