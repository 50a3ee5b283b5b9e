# allowed: runtime_error
# TCP connect to the internet / metadata address.
# Neither a network nor a socket.

import socket
def solve(x):
    for h in (("127.0.0.1", CANARY_PORT), ("1.1.1.1", 53), ("169.254.169.254", 80)):
        s = socket.create_connection(h, 2); s.sendall(b"leak"); s.close(); print("BREACH", h)
