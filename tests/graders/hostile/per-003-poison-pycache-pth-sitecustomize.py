# allowed: wrong_answer
# Poison __pycache__ / .pth / sitecustomize.
# Only /box, its own, can be written.

import os, sys, sysconfig
def solve(x):
    w = []
    for d in [*sys.path, sysconfig.get_paths()["purelib"], os.path.expanduser("~/.local/lib/python3.11/site-packages")]:
        for n in ("evil.pth", "sitecustomize.py", "__pycache__/numpy.cpython-311.pyc"):
            try:
                p = os.path.join(d or ".", n); os.makedirs(os.path.dirname(p), exist_ok=True)
                open(p, "w").write("import os"); w.append(p)
            except OSError: pass
    if not (not [p for p in w if not os.path.realpath(p).startswith("/box/")]): print("BREACH", w)
    return x
