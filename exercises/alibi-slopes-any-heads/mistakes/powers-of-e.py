# framework: torch
"""Your slopes are powers of e, as `exp` gives them. The base here is 2: write `2.0 ** exponent` or
`torch.exp2(exponent)`."""

import torch


def alibi_slopes(n_heads):
    p = 1 << (n_heads.bit_length() - 1)
    own = torch.arange(1, p + 1) / p
    between = (2 * torch.arange(n_heads - p) + 1) / (2 * p)
    return torch.exp(-8 * torch.cat([own, between]))
