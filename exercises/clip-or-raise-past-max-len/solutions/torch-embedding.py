# framework: torch
import torch.nn.functional as F


def look_up(table, ids, clip):
    if clip:
        ids = ids.clamp(min=0, max=table.size(0) - 1)
    try:
        return F.embedding(ids, table)                      # (N, T, d_model)
    except IndexError as error:
        raise ValueError("an id has no row") from error
