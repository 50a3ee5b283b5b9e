# framework: torch
import torch


def split_heads(x: torch.Tensor, H: int) -> torch.Tensor:
    B, T, D = x.shape
    return x.view(B, T, H, D // H).transpose(1, 2)          # (B, H, T, d)
