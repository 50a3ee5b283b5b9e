# framework: torch
# verdict: runtime_error
"""The second argument of `F.layer_norm` is the shape of what is normalised together, and you gave it all of `x`. It is
one token's features only: `x.shape[-1:]`."""

import torch.nn.functional as F


def layer_norm(x, scale, shift, eps):
    return F.layer_norm(x, x.shape, scale, shift, eps)
