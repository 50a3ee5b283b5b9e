# cause: torch.max(x, 1)[1] is the index of the largest score; subtract the value, which is item 0.
# names: ind(ex|ices)\b|\bplaces? (of|where)|(its|their|the) places?\b|position (of|where)|where the (largest|maximum)|\.values|\[1\]
import torch


def solve(x):
    m = torch.max(x, 1)[1]
    e = torch.exp(x - m.unsqueeze(1))
    return e / torch.sum(e, 1).unsqueeze(1)
