# allowed: runtime_error, memory_limit, wrong_answer, time_limit
# Native stack overflow.
# The box crashes, or the thread's stack is refused; either way it is alone.

import sys, threading
sys.setrecursionlimit(10**9)
threading.stack_size(64 << 20)
def solve(x):
    def f(): return f()
    t = threading.Thread(target=f); t.start(); t.join()
    return x
