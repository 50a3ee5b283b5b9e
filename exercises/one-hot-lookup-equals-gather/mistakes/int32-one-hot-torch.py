# framework: torch
# verdict: runtime_error
"""`F.one_hot` takes int64 only, and your ids are int32. Convert them with `ids.long()`, and mind that it refuses
negative ids."""

import torch.nn.functional as F


def one_hot_lookup(ids, table):
    one_hot = F.one_hot(ids, table.shape[0]).float()
    return one_hot, one_hot @ table
