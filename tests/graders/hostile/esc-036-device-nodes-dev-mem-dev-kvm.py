# allowed: wrong_answer
# Device nodes (/dev/mem, /dev/kvm, loop, fuse).
# Two devices, which cannot even be listed (Landlock), and no capability to make another. The listing's refusal is
# caught here, that the second half runs.

import os
def solve(x):
    try: listed = os.listdir("/dev")
    except OSError: listed = []
    bad = [d for d in listed if d not in {"null", "zero", "full", "random", "urandom", "fd", "stdin", "stdout", "stderr", "ptmx", "pts", "tty", "shm", "console", "core"}]
    if not (not bad): print("BREACH", bad)
    try: os.mknod("/tmp/mem", 0o20666, os.makedev(1, 1)); raise SystemExit("mknod worked")
    except OSError: pass
    return x
