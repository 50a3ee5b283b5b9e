# framework: torch
import torch


def look_up(table, ids, clip):
    nearest = ids.clamp(0, len(table) - 1)
    if not clip and not torch.equal(nearest, ids):
        raise ValueError("an id has no row")
    return table[nearest]                                   # (N, T, d_model)
