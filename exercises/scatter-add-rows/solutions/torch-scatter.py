# framework: torch
import torch


def scatter_add_rows(rows, ids, K):
    places = ids.long()[:, None].expand_as(rows)                            # (N, D)
    return torch.zeros(K, rows.shape[1]).scatter_add_(0, places, rows)      # (K, D)
