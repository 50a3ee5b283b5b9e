# framework: torch
# verdict: runtime_error
"""`F.one_hot` refuses negative ids, and ids past the last row. Compare instead: `ids[..., None] == torch.arange(V)`
is false everywhere for such an id."""

import torch.nn.functional as F


def one_hot_lookup(ids, table):
    one_hot = F.one_hot(ids.long(), table.shape[0]).float()
    return one_hot, one_hot @ table
