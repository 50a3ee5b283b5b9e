# cause: Scores below -1 are raised to -1 by the clamp, so tokens that match badly get too much weight; leave the clamp out.
# names: clamp|limit|(bound|raised)
import torch


def attention(q, k, v, mask=None):
    scores = q @ k.T / q.shape[-1] ** 0.5
    scores = torch.clamp(scores, min=-1.0)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
