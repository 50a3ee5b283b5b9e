import torch


def solve(x: torch.Tensor) -> torch.Tensor:
    """Turn each row of scores into weights that sum to one.

    x:       (N, C) float64
    returns: (N, C) float64
    """
    raise NotImplementedError("return the softmax of every row")
