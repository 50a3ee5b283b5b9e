# cause: The weights are rounded to three decimals before the product with v.
# names: round|decimal
import torch


def attention(q, k, v, mask=None):
    scores = q @ k.T / q.shape[1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    weights = torch.round(weights, decimals=3)
    return weights @ v
