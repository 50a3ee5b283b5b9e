# allowed: wrong_answer, runtime_error
# Filesystem unix socket (docker.sock, postgres, worker control socket).
# The file system of a box has no /run, and there is no socket to connect.

import socket, glob
def solve(x):
    hit = []
    for p in ["CANARY_SOCKET", "/var/run/docker.sock", "/run/postgresql/.s.PGSQL.5432", *glob.glob("/tmp/*.sock"), *glob.glob("/run/**/*.sock", recursive=True)]:
        s = socket.socket(socket.AF_UNIX)
        try: s.connect(p); hit.append(p)
        except OSError: pass
    if not (not hit): print("BREACH", hit)
    return x
