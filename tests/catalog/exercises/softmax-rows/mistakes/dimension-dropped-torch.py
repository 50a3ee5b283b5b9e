# framework: torch
# verdict: runtime_error
"""A maximum or sum of shape `(N,)` is matched with the columns, which fails unless N equals C. Keep the axis,
`keepdim=True`, in both, so that it is `(N, 1)`."""

import torch


def solve(x):
    e = torch.exp(x - x.amax(dim=-1))
    return e / e.sum(dim=-1)
