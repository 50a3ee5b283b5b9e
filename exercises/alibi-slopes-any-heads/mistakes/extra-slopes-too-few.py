# framework: torch
"""Your range of odd numbers ends too early, so some slopes are missing at the end. You need `n_heads - p` odd
numbers, and the last of them is `2 * (n_heads - p) - 1`."""

import torch


def alibi_slopes(n_heads):
    p = 1 << (n_heads.bit_length() - 1)
    slopes = [2 ** (-8 * h / p) for h in range(1, p + 1)]
    slopes += [2 ** (-8 * h / (2 * p)) for h in range(1, n_heads - p + 1, 2)]
    return torch.tensor(slopes)
