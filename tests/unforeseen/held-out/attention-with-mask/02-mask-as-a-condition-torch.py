# cause: if mask: asks a whole tensor for True or False; whether a mask was given is asked with if mask is not None.
# names: is not None|`?if mask|ambiguous|truth|(true|false) (or|and) (true|false)|\bbool\w*\b.{0,40}(value|tensor|whole|more than)|as a condition|whole tensor
import torch
import torch.nn.functional as F


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(0, 1) / q.shape[1] ** 0.5
    if mask:
        scores = scores.masked_fill(mask == False, float("-inf"))
    return F.softmax(scores, dim=-1) @ v
