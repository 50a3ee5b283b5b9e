# allowed: wrong_answer
# Leave files for the next submission.
# A box's folder is its own and ends with it. (Its later calls see what its first one wrote: only that one looks.)

import os
_calls = 0
def solve(x):
    global _calls; _calls += 1
    ps = {os.path.realpath(os.path.join(d, "bean")) for d in ("/", "/tmp", "/dev/shm", "/var/tmp", "/run/lock", os.getcwd(), os.path.expanduser("~"))}
    hit = [p for p in ps if os.path.exists(p)]
    for p in ps:
        try: open(p, "w").write("x")
        except OSError: pass
    if hit and _calls == 1: print("BREACH", hit)
    return x
