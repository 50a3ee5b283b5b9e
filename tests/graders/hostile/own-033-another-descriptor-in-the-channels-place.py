# allowed: runtime_error
# The channel is closed and a pipe of its own takes its number: the runner talks to itself.
# Without its channel it has no answer: to close it is to end.

import os
def solve(x):
    os.close(3)
    reader, writer = os.pipe()
    os.dup2(reader, 3)
    return x
