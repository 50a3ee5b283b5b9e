import torch


def attention_scores(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    """Compare every query with every key, head by head.

    q:       (B, T, H, d) float32
    k:       (B, S, H, d) float32
    returns: (B, H, T, S) float32, scaled dot products
    """
    raise NotImplementedError("return the scaled dot products")
