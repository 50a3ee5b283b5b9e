# cause: The maximum is cast to a whole number with .int(), ok but then int32 overflow of -inf... The exponentials are truncated to integers.
# names: whole number|integer|int
import torch


def solve(x):
    e = torch.exp(x - x.max(dim=1, keepdim=True).values).long()
    return e / e.sum(dim=1, keepdim=True)
