# allowed: wrong_answer, runtime_error
# Symlink planted where the trusted side will read/write/chown.
# Nobody on the trusted side opens a path that a box made.

import os, glob
def solve(x):
    for n in ("result.npy", "out.json", "run.sh", "stdout.txt", "score.json", "metadata.txt"):
        for d in (".", "/tmp", "/box"):
            try:
                p = os.path.join(d, n)
                if os.path.lexists(p): os.unlink(p)
                os.symlink("CANARY_FILE", p)
            except OSError: pass
    return x
