# framework: torch
import torch


def layer_norm(x, scale, shift, eps):
    mean = x.mean(dim=-1, keepdim=True)                             # (B, T, 1)
    variance = x.var(dim=-1, keepdim=True, correction=0)            # (B, T, 1), divided by D
    return (x - mean) * torch.rsqrt(variance + eps) * scale + shift
