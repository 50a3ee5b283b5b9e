# cause: masked scores are set to -10, not -inf; a masked score can still win over the rest.
# names: -10|-inf|masked
import torch


def attention(q, k, v, mask=None):
    scores = q @ k.T / q.shape[1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == False, -10)
    return torch.softmax(scores, dim=1) @ v
