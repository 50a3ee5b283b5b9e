# framework: torch
# verdict: runtime_error
"""With an odd `d_model` there is one cosine column less than there are sine columns, so the angles do not fit
`table[:, 1::2]`. Keep the first `d_model // 2` angles for the cosines."""

import torch


def positional_encoding(max_len, d_model, base=10000.0):
    position = torch.arange(max_len)[:, None]
    angle = position / base ** (torch.arange(0, d_model, 2) / d_model)
    table = torch.zeros(max_len, d_model)
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle)
    return table
