# allowed: memory_limit, output_limit, wrong_answer, runtime_error
# framework: torch
# The same for torch, sparse and expanded.
# As before.

import torch
def solve(x): return torch.ones(1, dtype=torch.float64).expand(1 << 20, 1 << 20)
