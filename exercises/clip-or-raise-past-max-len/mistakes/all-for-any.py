# framework: torch
"""You raise only if every id is outside. A single one is enough: use `any`."""

import torch


def look_up(table, ids, clip):
    nearest = ids.clamp(0, len(table) - 1)
    if not clip and torch.all(nearest != ids):
        raise ValueError("an id has no row")
    return table[nearest]
