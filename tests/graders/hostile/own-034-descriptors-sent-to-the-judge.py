# allowed: runtime_error, wrong_answer
# Hundreds of descriptors are sent over the channel, that the judge may run out of them or hold a file open.
# `sendmsg` is not an allowed call, and a reader that asks for bytes only is given no descriptor.

import array, ctypes, os, socket
def solve(x):
    channel = socket.socket(fileno=os.dup(3))
    for _ in range(100):
        fds = array.array("i", [os.open("/dev/null", os.O_RDONLY)])
        channel.sendmsg([b"\0"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, fds)])
    return x
