# cause: x.sub(...) returns a new tensor, which is dropped; sub_ changes in place.
# names: thrown away|dropped|no effect|does nothing|not used|is lost|returns a new
import torch


def solve(x):
    biggest = x.max(dim=1, keepdim=True).values
    x.sub(biggest)
    weights = torch.exp(x)
    return weights / weights.sum(dim=1, keepdim=True)
