# framework: torch
"""You return zeros. Without the underscore, `out.index_add(…)` leaves `out` as it is and returns a new tensor. Keep that,
or write `index_add_`, which changes `out`."""

import torch


def scatter_add_rows(rows, ids, K):
    out = torch.zeros(K, rows.shape[1])
    out.index_add(0, ids, rows)
    return out
