# cause: softmax over dim 0 where rows are wanted
# names: dim|axis|row
import torch


def attention(q, k, v, mask=None):
    scores = q @ k.T / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, 0) @ v
