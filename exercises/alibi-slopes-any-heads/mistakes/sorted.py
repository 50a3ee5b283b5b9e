# framework: torch
"""The numbers are right, but you sorted them, steepest first. Keep the order of the two parts: a trained model has
its heads in that order."""

import torch


def alibi_slopes(n_heads):
    p = 1 << (n_heads.bit_length() - 1)
    own = torch.arange(1, p + 1) / p
    between = (2 * torch.arange(n_heads - p) + 1) / (2 * p)
    return (2.0 ** (-8 * torch.cat([own, between]))).sort(descending=True).values
