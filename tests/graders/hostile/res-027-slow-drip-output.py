# allowed: time_limit
# Slow drip output (one byte per second keeps idle timers alive).
# The deadline is absolute: output does not put it off.

import time
def solve(x):
    while True:
        print(".", end="", flush=True); time.sleep(0.2)
