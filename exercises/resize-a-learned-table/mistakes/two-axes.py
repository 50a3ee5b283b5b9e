# framework: torch
# verdict: runtime_error
"""`interpolate` wants a batch, channels and a length. Your table has two axes: add one and put the rows last,
`table.T[None]`."""

import torch.nn.functional as F


def resize_table(table, new_len, align_corners):
    columns = table.T
    out = F.interpolate(columns, size=new_len, mode="linear", align_corners=align_corners)
    return out[0].T
