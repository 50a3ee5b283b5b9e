# framework: torch
# verdict: runtime_error
"""`scatter_add_` needs a place for every number, so its index has as many axes as the rows. Write
`ids.long()[:, None].expand_as(rows)`, or use `index_add_`, which takes one id for each row."""

import torch


def scatter_add_rows(rows, ids, K):
    return torch.zeros(K, rows.shape[1]).scatter_add_(0, ids, rows)
