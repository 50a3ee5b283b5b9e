# framework: torch
"""Two slips at once: your standard deviation is divided by `D - 1`, the default of `torch.std`, and `eps` is added outside
the root. Use `torch.sqrt(x.var(dim=-1, keepdim=True, correction=0) + eps)`."""


def layer_norm(x, scale, shift, eps):
    centred = x - x.mean(dim=-1, keepdim=True)
    return scale * centred / (x.std(dim=-1, keepdim=True) + eps) + shift
