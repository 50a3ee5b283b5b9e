# framework: torch
import math

import torch


def geometric(p):
    ratio = 2 ** (-8 / p)
    return torch.full((p,), ratio).cumprod(0)                   # (p,)


def alibi_slopes(n_heads):
    p = 2 ** math.floor(math.log2(n_heads))
    return torch.cat([geometric(p), geometric(2 * p)[0::2][: n_heads - p]])
