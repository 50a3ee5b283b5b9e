# cause: torch.max returns values and indices in this order, and the second one is used: the place of the maximum is subtracted and not the maximum.
# names: ind(ex|ices)\b|(?<!in )places?\b.{0,40}maxim|maxim\w*.{0,40}places?\b|position of|where the (maxim|largest)|second (one|thing|of the|result|value|output)|\.values
import torch


def solve(x):
    _, m = torch.max(x, dim=1, keepdim=True)
    e = torch.exp(x - m)
    return e / torch.sum(e, dim=1, keepdim=True)
