# allowed: time_limit
# sys.stdout is replaced by an object whose flush never returns.
# The runner flushes after each call, within that call's time.

import sys
class Stream:
    def write(self, text): return len(text)
    def flush(self):
        while True: pass
def solve(x):
    sys.stdout = sys.stderr = Stream()
    return x
