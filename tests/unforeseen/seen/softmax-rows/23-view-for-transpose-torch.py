# cause: view(C, N) does not turn the tensor round, it only cuts the same run of numbers into other rows; so each column holds scores of different rows. Use .T (or dim=1).
# names: \bview\b|reshap|permute|mix(es|ed|ing)?\b|scrambl|(not|n't|never) (a |the )?transpos\w*|does(n't| not) turn|same (order|run) of|(scores|numbers|entries|values) (of|from) (other|different|several) rows|into other rows|belongs? to (other|different|another|several)|\.T\b.{0,40}(instead|not|rather|use|transposes)|instead.{0,30}\.T\b|(use|write|with) `?\w*\.T\b
import torch


def solve(x):
    N, C = x.shape
    # work on columns, easier broadcasting
    cols = x.view(C, N)
    cols = cols - cols.max(dim=0).values
    e = torch.exp(cols)
    out = e / e.sum(dim=0)
    return out.view(N, C)
