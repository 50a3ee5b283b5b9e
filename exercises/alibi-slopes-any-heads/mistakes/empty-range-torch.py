# framework: torch
# verdict: runtime_error
"""For a power of two there are no extra slopes, and `torch.arange` refuses a range that ends before it begins, as
`torch.arange(1, 0, 2)` does. Write `2 * torch.arange(n_heads - p) + 1`, which may be empty."""

import torch


def alibi_slopes(n_heads):
    p = 1 << (n_heads.bit_length() - 1)
    own = torch.arange(1, p + 1) / p
    between = torch.arange(1, 2 * (n_heads - p), 2) / (2 * p)
    return 2.0 ** (-8 * torch.cat([own, between]))
