# framework: torch
import torch


def relative_rotation(k, d_model, base):
    angle = k * base ** (-torch.arange(0, d_model, 2) / d_model)        # (d_model/2,)
    cos = torch.cos(angle).repeat_interleave(2)                         # (d_model,)
    sin = torch.sin(angle)
    above = torch.stack([sin, torch.zeros_like(sin)], -1).reshape(-1)[:-1]      # (d_model - 1,)
    return torch.diag(cos) + torch.diag(above, 1) - torch.diag(above, -1)
