# allowed: time_limit
# Monkeypatch the clock to beat a time limit / benchmark.
# Time is measured outside.

import time
for n in ("time", "perf_counter", "monotonic", "process_time", "perf_counter_ns", "monotonic_ns"):
    setattr(time, n, lambda: 0)
def solve(x):
    while True: pass
