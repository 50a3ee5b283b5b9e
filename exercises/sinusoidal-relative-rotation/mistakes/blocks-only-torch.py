# framework: torch
"""You return the blocks in a stack, `(d_model/2, 2, 2)`. Place them along the diagonal of one `(d_model, d_model)`
matrix: `torch.block_diag(*blocks)`."""

import torch


def relative_rotation(k, d_model, base):
    angle = k * base ** (-torch.arange(0, d_model, 2) / d_model)
    sin, cos = torch.sin(angle), torch.cos(angle)
    return torch.stack([torch.stack([cos, sin], -1), torch.stack([-sin, cos], -1)], -2)
