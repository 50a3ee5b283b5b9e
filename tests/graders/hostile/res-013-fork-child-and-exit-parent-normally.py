# allowed: wrong_answer, runtime_error
# Fork child and exit parent normally (grandchild keeps running).
# As before: nobody is left to keep running after the verdict.

import os, time
def solve(x):
    if os.fork() == 0:
        os.setsid(); time.sleep(600); os._exit(0)
    return x
