# allowed: runtime_error, wrong_answer
# exec a shell / compiler.
# `execve` is refused, there is no shell, and Landlock grants execution of nothing.

import os
def solve(x):
    os.execv("/bin/sh", ["sh", "-c", "echo BREACH exec; id"])
