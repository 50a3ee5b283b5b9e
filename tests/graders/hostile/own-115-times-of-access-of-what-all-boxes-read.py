# allowed: wrong_answer
# A time of access would be a bit for the next box: libraries and devices are read, and looked at.
# They are bound read-only, where no such time is kept, and no call sets one.

import os, time
def solve(x):
    for path in (os.__file__, "/dev/null", "/dev/urandom"):
        before = os.stat(path).st_atime_ns
        with open(path, "rb") as file: file.read(16)
        try: os.utime(path); print("BREACH utime", path)
        except OSError: pass
        if os.path.exists("/box") and os.stat(path).st_atime_ns != before: print("BREACH", path)
    return x
