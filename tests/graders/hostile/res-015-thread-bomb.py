# allowed: runtime_error, time_limit, memory_limit
# Thread bomb.
# RLIMIT_NPROC and the watchdog count threads.

import threading, time
def solve(x):
    while True:
        threading.Thread(target=time.sleep, args=(999,), daemon=True).start()
