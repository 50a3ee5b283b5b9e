# cause: gumbel_softmax adds random noise to the scores before the softmax, so the weights are a random draw and change with every call.
# names: gumbel|random|noise|draws?\b|sampl|(different|other|change\w*).{0,30}(every|each) (call|time|run)
import torch
import torch.nn.functional as F


def solve(x):
    return F.gumbel_softmax(x, tau=1.0, dim=-1)
