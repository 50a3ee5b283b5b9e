# allowed: time_limit, runtime_error
# framework: torch
# Multi-thread CPU time theft (N BLAS/OMP threads hide CPU time).
# Sixty-four threads of torch's pool. Beside the one that asks they are more than a box may have, so that it ends as
# what it is, too many threads, before its time is up; that its processor time is summed over threads shows own-027.

import os, torch
torch.set_num_threads(64)
def solve(x):
    a = torch.randn(4000, 4000)
    for _ in range(10000): a = a @ a / 4000
    return a
