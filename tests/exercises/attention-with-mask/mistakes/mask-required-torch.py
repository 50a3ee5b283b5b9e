# verdict: runtime_error
"""The mask may be left out, and is `None` then. Use it only `if mask is not None`."""

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.T / q.shape[1] ** 0.5  # (T, T)
    scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=1) @ v  # (T, E)
