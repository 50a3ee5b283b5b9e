# allowed: wrong_answer
# Inherited file descriptors.
# 0 to 3 are all there is: /dev/null, prints twice, and the channel, which every box must have (3 is no breach).

import os
def solve(x):
    seen = {}
    for fd in range(0, 1024):
        try: seen[fd] = os.readlink(f"/proc/self/fd/{fd}")
        except OSError:
            try: seen[fd] = oct(os.fstat(fd).st_mode)
            except OSError: pass
    extra = {k: v for k, v in seen.items() if k > 3 and not str(v).startswith("pipe:")}
    if sum(str(v).startswith("pipe:") for v in seen.values()) > 5: extra["pipes"] = len(seen)
    if not (not extra): print("BREACH", extra)
    return x
