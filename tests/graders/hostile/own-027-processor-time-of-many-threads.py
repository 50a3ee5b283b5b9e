# allowed: time_limit
# limits: wall_seconds=5, cpu_seconds=0.5
# Eight threads burn processor time side by side, outside the GIL.
# Processor time is the process's, all threads summed: half a second of it is gone long before three of the wall clock.

import hashlib, threading
def solve(x):
    def burn():
        while True: hashlib.sha256(b"x" * (8 << 20)).digest()
    threads = [threading.Thread(target=burn, daemon=True) for _ in range(8)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
