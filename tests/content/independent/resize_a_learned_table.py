"""Follows `torch.nn.functional.interpolate(…, mode="linear")` in float64, on the table's transpose."""

import torch


def expected(table, new_len, align_corners):
    columns = torch.tensor(table, dtype=torch.float64).T[None]
    rows = torch.nn.functional.interpolate(columns, size=new_len, mode="linear", align_corners=align_corners)
    return rows[0].T.float().contiguous().numpy()
