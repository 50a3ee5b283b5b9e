# cause: The exponentials are computed in float32, which loses digits.
# names: float32|precision|digits
import torch


def solve(x):
    scores = x.to(torch.float32)
    scores = scores - scores.amax(1, keepdim=True)
    e = scores.exp()
    return (e / e.sum(1, keepdim=True)).double()
