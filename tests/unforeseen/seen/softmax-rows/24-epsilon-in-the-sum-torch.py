# cause: A small number (1e-5) is added to the sum in the denominator, so the rows sum to a bit less than 1; the sum is never 0 after the maximum is subtracted, so leave it out.
# names: epsilon|\beps\b|1e-0?5|0\.00001|small (number|constant|amount|term)|add\w* .{0,30}to (the|your|each) (sum|denominator)|(bit|slightly|little) (less|below|too small|smaller)|something.{0,20}added
import torch

eps = 1e-5

def solve(x):
    x = x - torch.amax(x, dim=1, keepdim=True)
    x_exp = x.exp()
    # eps so that we never divide by 0
    return x_exp / (x_exp.sum(dim=1, keepdim=True) + eps)
