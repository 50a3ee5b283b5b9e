# allowed: output_limit
# A thread prints without end while the call returns at once.
# Prints count until the answer is there, by all code that makes them.

import os, threading
def spill():
    while True: os.write(1, b"x" * 65536)
threads = [threading.Thread(target=spill, daemon=True) for _ in range(4)]
def solve(x):
    for thread in threads:
        if not thread.is_alive(): thread.start()
    import time; time.sleep(0.2)
    return x
