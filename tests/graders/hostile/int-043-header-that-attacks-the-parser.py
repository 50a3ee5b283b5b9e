# allowed: runtime_error
# Header that attacks the parser (deep literal, 100 MB header).
# A header is two numbers; nothing is evaluated.

import os, struct
def solve(x):
    h = b"{\'descr\':" + b"(" * 60000 + b")" * 60000
    for fd in range(3, 64):
        try: os.write(fd, b"\x93NUMPY\x03\x00" + struct.pack("<I", len(h)) + h)
        except OSError: pass
    os._exit(0)
