# framework: torch
"""You resized the features, not the rows: `interpolate` works on the last axis. Give it the transpose,
`table.T[None]`, and transpose back."""

import torch.nn.functional as F


def resize_table(table, new_len, align_corners):
    columns = table[None]
    out = F.interpolate(columns, size=new_len, mode="linear", align_corners=align_corners)
    return out[0]
