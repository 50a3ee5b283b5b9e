"""The softmax is taken over the columns. The weights of one token are a row: write `dim=1`."""

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.T / q.shape[1] ** 0.5  # (T, T)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=0) @ v  # (T, E)
