# allowed: runtime_error, wrong_answer
# framework: torch
# Torch oddities: meta / sparse / quantised / conj / requires_grad / bfloat16.
# What cannot be made into bytes says what it is.

import torch
def solve(x): return torch.empty(4, 5, device="meta")
