# cause: log_softmax returns the logarithm of the weights; exp is missing.
# names: log
import torch.nn.functional as F


def solve(x):
    return F.log_softmax(x, dim=1)
