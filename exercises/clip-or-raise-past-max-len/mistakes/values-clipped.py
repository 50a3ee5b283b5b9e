# framework: torch
"""You clipped the table's numbers. It is the ids that must be clipped, before you index."""

import torch


def look_up(table, ids, clip):
    nearest = ids.clamp(0, len(table) - 1)
    if not clip and not torch.equal(nearest, ids):
        raise ValueError("an id has no row")
    return table[nearest].clamp(0, 1)
