# cause: masked_fill returns a new tensor; its result is thrown away.
# names: thrown away|dropped|no effect|does nothing|returns a new|is lost
import torch


def attention(q, k, v, mask=None):
    scores = q @ k.T / q.shape[1] ** 0.5
    if mask is not None:
        scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
