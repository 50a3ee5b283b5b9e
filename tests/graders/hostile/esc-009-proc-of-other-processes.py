# allowed: wrong_answer
# /proc of other processes (environ, mem, fd, root).
# Its own process is the only one in its /proc.

import os
def solve(x):
    leak = []
    for p in os.listdir("/proc"):
        if p.isdigit() and int(p) != os.getpid():
            for n in ("environ", "mem", "maps", "cmdline"):
                try: leak.append((p, n, open(f"/proc/{p}/{n}", "rb").read(16)))
                except OSError: pass
            try: leak.append((p, "root", os.listdir(f"/proc/{p}/root")))
            except OSError: pass
    if not (not [l for l in leak if l[0] != "1"]): print("BREACH", leak)
    return x
