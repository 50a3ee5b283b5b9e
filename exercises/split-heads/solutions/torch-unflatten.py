# framework: torch
import torch


def split_heads(x: torch.Tensor, H: int) -> torch.Tensor:
    return x.unflatten(-1, (H, -1)).permute(0, 2, 1, 3)     # (B, H, T, d)
