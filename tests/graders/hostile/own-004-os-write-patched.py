# allowed: runtime_error, time_limit
# os.write is patched: the runner's answers are doubled or swallowed.
# What the runner is made to do is what the submission does.

import os
write = os.write
def doubled(fd, data):
    write(fd, bytes(data)); write(fd, bytes(data))
    return len(data)
def solve(x):
    os.write = doubled
    return x
