# framework: torch
# verdict: runtime_error
"""PyTorch does not multiply integers with a float32 table, and `F.one_hot` makes integers. Convert the one-hot rows
first: `.float()`."""

import torch


def one_hot_lookup(ids, table):
    one_hot = (ids[..., None] == torch.arange(table.shape[0])).long()
    return one_hot, one_hot @ table
