# cause: The scores are rounded to one decimal place before the softmax.
# names: round
import torch


def solve(x):
    x = torch.round(x, decimals=1)
    x = x - x.max(dim=1, keepdim=True).values
    e = torch.exp(x)
    return e / e.sum(dim=1, keepdim=True)
