# framework: torch
import torch


def resize_table(table, new_len, align_corners):
    max_len = len(table)
    j = torch.arange(new_len)
    if align_corners:
        places = j * ((max_len - 1) / (new_len - 1) if new_len > 1 else 0.0)
    else:
        places = (j + 0.5) * (max_len / new_len) - 0.5
    places = places.clamp(0, max_len - 1)                                   # (new_len,)
    rows = torch.arange(max_len)
    weights = (1 - (places[:, None] - rows).abs()).clamp(min=0)             # (new_len, max_len): a tent on each place
    return weights @ table                                                  # (new_len, d_model)
