# cause: The scores are divided by the square root of the row length, as attention does before its softmax; here they must be taken as they are.
# names: sqrt|square root|√|scal(ed?|ing) (by|the|your|in|as)|temperature|attention|(scores|differences).{0,20}too (small|close)|too (even|flat|close|uniform|smooth)
import math
import torch


def solve(x):
    scores = x / math.sqrt(x.size(-1))
    scores = scores - scores.max(dim=-1, keepdim=True)[0]
    attn = scores.exp()
    return attn / attn.sum(dim=-1, keepdim=True)
