# framework: torch
"""Your extra slopes come from `p` heads again, so some slopes occur twice. They come from twice as many, `2 * p`,
and lie between those that you have."""

import torch


def geometric(p):
    return 2.0 ** (-8 * torch.arange(1, p + 1) / p)


def alibi_slopes(n_heads):
    p = 1 << (n_heads.bit_length() - 1)
    return torch.cat([geometric(p), geometric(p)[: n_heads - p]])
