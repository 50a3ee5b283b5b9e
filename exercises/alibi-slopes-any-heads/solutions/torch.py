# framework: torch
import torch


def alibi_slopes(n_heads):
    p = 1 << (n_heads.bit_length() - 1)
    own = torch.arange(1, p + 1) / p                           # (p,)
    between = (2 * torch.arange(n_heads - p) + 1) / (2 * p)  # (n_heads - p,)
    return 2.0 ** (-8 * torch.cat([own, between]))
