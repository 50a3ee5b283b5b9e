# framework: torch
import torch.nn.functional as F


def layer_norm(x, scale, shift, eps):
    return F.layer_norm(x, (x.shape[-1],), weight=scale, bias=shift, eps=eps)
