# allowed: runtime_error, wrong_answer
# dup2 the result fd over stdin/stdout, mix streams.
# What is no reply is an error, wherever it came from.

import os
def solve(x):
    for fd in range(3, 64):
        try: os.dup2(fd, 1); os.dup2(1, fd)
        except OSError: pass
    print("noise" * 100)
    return x
