# allowed: runtime_error, time_limit, memory_limit
# framework: torch
# torch.compile, which writes C++, looks for a compiler and starts processes.
# No process can be started; importing its machinery is the submission's own time.

import torch
@torch.compile
def solve(x):
    return torch.softmax(x, -1)
