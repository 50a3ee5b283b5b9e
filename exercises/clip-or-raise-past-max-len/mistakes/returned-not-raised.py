# framework: torch
"""You return where you should raise: a caller does not notice `None`. Write `raise ValueError(…)`."""

import torch


def look_up(table, ids, clip):
    nearest = ids.clamp(0, len(table) - 1)
    if not clip and not torch.equal(nearest, ids):
        return None
    return table[nearest]
