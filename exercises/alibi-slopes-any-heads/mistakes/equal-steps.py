# framework: torch
"""Your slopes fall by equal steps from the first to the last, as `linspace` makes them. They should fall by equal
ratios: the exponents have equal steps, not the slopes."""

import torch


def geometric(p):
    return torch.linspace(2 ** (-8 / p), 2**-8, p)


def alibi_slopes(n_heads):
    p = 1 << (n_heads.bit_length() - 1)
    return torch.cat([geometric(p), geometric(2 * p)[0::2][: n_heads - p]])
