# cause: masked_fill returns a new tensor and its result is not kept, so the scores are never masked; assign it or use masked_fill_.
# names: masked_fill|(not|never).{0,20}(kept|assigned|stored|saved)|(new|copy).{0,20}tensor|result.{0,40}(thrown|lost|dropped|discard|unused|not used)|in[- ]?place|thrown away
import math
import torch


def attention(q, k, v, mask=None):
    d = q.size(-1)
    scores = torch.matmul(q, k.T) / math.sqrt(d)
    if mask is not None:
        scores.masked_fill(~mask, float("-inf"))
    attn = torch.softmax(scores, dim=-1)
    return torch.matmul(attn, v)
