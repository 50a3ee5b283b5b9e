# cause: The scale 1/sqrt(D) is applied after the softmax instead of before.
# names: scale|sqrt|before|divid|factor
import torch


def attention(q, k, v, mask=None):
    scores = q @ k.T
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return (torch.softmax(scores, dim=1) / q.shape[1] ** 0.5) @ v
