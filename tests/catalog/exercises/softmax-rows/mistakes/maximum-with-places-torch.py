# framework: torch
# verdict: runtime_error
"""`x.max(dim=-1, keepdim=True)` gives two things in PyTorch, the maxima and their indices. Subtract the first:
`.values`, or write `torch.amax(x, dim=-1, keepdim=True)`."""

import torch


def solve(x):
    e = torch.exp(x - x.max(dim=-1, keepdim=True))
    return e / e.sum(dim=-1, keepdim=True)
