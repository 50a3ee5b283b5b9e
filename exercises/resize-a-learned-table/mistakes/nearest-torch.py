# framework: torch
"""Your rows are copies of old ones: `interpolate` takes the nearest unless told otherwise. Say `mode="linear"`, with
`align_corners=align_corners`."""

import torch.nn.functional as F


def resize_table(table, new_len, align_corners):
    columns = table.T[None]
    out = F.interpolate(columns, size=new_len)
    return out[0].T
