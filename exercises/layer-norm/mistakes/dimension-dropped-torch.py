# framework: torch
# verdict: runtime_error
"""Your mean has the shape `(B, T)`, which is matched with `(T, D)` from the right and does not fit. Keep its axis with
`keepdim=True`, so that it is `(B, T, 1)`."""

import torch


def layer_norm(x, scale, shift, eps):
    centred = x - x.mean(dim=-1)
    return scale * centred / torch.sqrt(x.var(dim=-1, correction=0) + eps) + shift
