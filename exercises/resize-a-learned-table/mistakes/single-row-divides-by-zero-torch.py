# framework: torch
# verdict: runtime_error
"""For a single new row, `new_len - 1` is 0. With aligned corners its place is 0."""

import torch


def resize_table(table, new_len, align_corners):
    max_len = len(table)
    rows = []
    for j in range(new_len):
        place = j * (max_len - 1) / (new_len - 1) if align_corners else (j + 0.5) * max_len / new_len - 0.5
        place = min(max(place, 0), max_len - 1)
        below, weight = int(place), place % 1
        rows.append((1 - weight) * table[below] + weight * table[min(below + 1, max_len - 1)])
    return torch.stack(rows)
