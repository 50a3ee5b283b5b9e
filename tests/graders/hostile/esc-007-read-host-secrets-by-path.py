# allowed: wrong_answer
# Read host secrets by path.
# None of it is in the box's file system.

import os
def solve(x):
    leak = {}
    for p in ("CANARY_FILE", "/etc/shadow", "/etc/passwd", "/root/.ssh/id_rsa", "/proc/1/environ", "/srv/app/.env", "/app/secrets.yaml", "/var/lib/postgresql"):
        try:
            b = open(p, "rb").read(64)
            if b: leak[p] = b
        except OSError: pass
    if not (not leak): print("BREACH", leak)
    return x
