# cause: view(c, n) does not turn the array over but cuts the same numbers into other rows, so scores of different rows are mixed.
# names: \bview\b|reshape|(not|no|n't|never).{0,20}transpos|mix(es|ed|ing)?\b.{0,30}rows?|rows?.{0,20}(are )?mixed|(cut|split)s?\b.{0,30}(other|different|wrong) rows
import torch


def solve(x):
    n, c = x.shape
    m = x.amax(dim=1)              # (n,)
    xt = x.view(c, n)              # swap the axes so that m lines up with the last one
    e = torch.exp(xt - m)
    s = e.sum(dim=0)               # (n,)
    return (e / s).view(n, c)
