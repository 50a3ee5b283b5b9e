# framework: torch
import torch
import torch.nn.functional as F


def one_hot_lookup(ids, table):
    V = table.shape[0]
    outside = (ids < 0) | (ids >= V)                            # (N, T)
    classes = ids.long().masked_fill(outside, V)                # F.one_hot takes int64, and nothing negative
    one_hot = F.one_hot(classes, V + 1)[..., :V].float()        # (N, T, V)
    return one_hot, torch.matmul(one_hot, table)
