# cause: Only the first row of the mask is used, for all tokens; each token has a row of its own.
# names: (first|one|row 0).{0,20}(row)?.{0,30}mask|mask\[0\]|row of its own|mask.{0,60}(first row|row 0|other rows)
import torch


def attention(q, k, v, mask=None):
    scores = q @ k.T / q.shape[1] ** 0.5
    if mask is not None:
        scores[:, ~mask[0]] = float("-inf")
    return torch.softmax(scores, dim=-1) @ v
