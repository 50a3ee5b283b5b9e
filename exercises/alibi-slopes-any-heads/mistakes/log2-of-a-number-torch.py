# framework: torch
# verdict: runtime_error
"""`torch.log2` takes a tensor, and `n_heads` is a Python number. Use `math.log2(n_heads)`, or
`n_heads.bit_length()`."""

import torch


def alibi_slopes(n_heads):
    p = 2 ** int(torch.log2(n_heads))
    own = torch.arange(1, p + 1) / p
    between = (2 * torch.arange(n_heads - p) + 1) / (2 * p)
    return 2.0 ** (-8 * torch.cat([own, between]))
