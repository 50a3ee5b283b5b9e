# allowed: time_limit
# A thread that never gives the interpreter back, with switching and collecting switched off.
# Nothing inside the box has to run for it to be ended.

import gc, sys, threading
sys.setswitchinterval(1e9); gc.disable()
def spin():
    while True: pass
def solve(x):
    threading.Thread(target=spin, daemon=True).start()
    while True: pass
