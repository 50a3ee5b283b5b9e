# framework: torch
"""Only the first number of each row was added: the index of `scatter_add_` has one column, and it reads as many columns as
the index has. Expand it with `.expand_as(rows)`, or use `index_add_`."""

import torch


def scatter_add_rows(rows, ids, K):
    return torch.zeros(K, rows.shape[1]).scatter_add_(0, ids.long()[:, None], rows)
