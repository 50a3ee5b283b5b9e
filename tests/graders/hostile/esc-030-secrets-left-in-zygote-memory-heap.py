# allowed: wrong_answer, time_limit, memory_limit, runtime_error
# limits: wall_seconds=5
# Secrets left in zygote memory (heap scan).
# The zygote is a process of its own that never held a secret, and a box's case names, reference and expected values
# stay outside. The canary is in the judge's memory and environment, in the reference's text and in hidden cases' names.
# A box has no /proc/self/maps, where this one ends; own-008 searches without it.

import re
pat = re.compile(rb"CANARY[-]7f3[a]")   # a class, so the needle does not match itself
def solve(x):
    hits = 0
    for l in open("/proc/self/maps"):
        m = re.match(r"([0-9a-f]+)-([0-9a-f]+) r", l)
        if not m or "[vv" in l: continue
        lo, hi = (int(v, 16) for v in m.groups())
        try:
            with open("/proc/self/mem", "rb", 0) as f:
                f.seek(lo); hits += len(pat.findall(f.read(min(hi - lo, 64 << 20))))
        except (OSError, ValueError, OverflowError): pass
    if not (hits == 0): print("BREACH", hits)
    return x
