# framework: torch
"""You took the first slopes of the next larger power of two, so your flattest heads are missing. Start from the
largest power of two that is at most `n_heads`, use all of its slopes, and then add to them."""

import torch


def alibi_slopes(n_heads):
    larger = 1 << (n_heads - 1).bit_length()
    h = torch.arange(1, larger + 1)
    return (2.0 ** (-8 * h / larger))[:n_heads]
