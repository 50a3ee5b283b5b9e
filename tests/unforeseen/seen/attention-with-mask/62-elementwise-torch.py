# cause: w * v in place of w @ v: with T x T by T x E an error of shapes (or a wrong result).
# names: @|matrix product|match|sizes
import torch


def attention(q, k, v, mask=None):
    scores = q @ k.T / q.shape[1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=1) * v
