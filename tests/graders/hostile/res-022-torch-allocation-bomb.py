# allowed: memory_limit, runtime_error
# framework: torch
# Torch allocation bomb.
# Torch's own way of running out of memory.

import torch
def solve(x):
    return torch.ones(1 << 34)
