# framework: torch
"""Your extra slopes are those of a model with `n_heads - p` heads. They should be slopes of a larger model: step 2
takes them from `2 * p` heads, and leaves out every second one."""

import torch


def alibi_slopes(n_heads):
    p = 1 << (n_heads.bit_length() - 1)
    own = 2.0 ** (-8 * torch.arange(1, p + 1) / p)
    return torch.cat([own, alibi_slopes(n_heads - p)]) if p < n_heads else own
