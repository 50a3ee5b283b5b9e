# allowed: wrong_answer
# AF_VSOCK / AF_ALG / AF_NETLINK / AF_PACKET sockets.
# `socket` is not an allowed call, whatever the family.

import socket
def solve(x):
    got = []
    for fam in (40, 38, 16, 17, 31):
        try: socket.socket(fam, socket.SOCK_RAW if fam in (16, 17) else socket.SOCK_STREAM); got.append(fam)
        except OSError: pass
    if not (not got): print("BREACH", got)
    return x
