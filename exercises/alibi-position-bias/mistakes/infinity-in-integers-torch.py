# framework: torch
# verdict: runtime_error
"""An infinity cannot become a whole number. Positions are int32, and so are their differences: hide the future in the
finished bias, which is float, or change the distances to float32 before you put an infinity into them."""

import torch


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** (-8 * torch.arange(1, heads + 1) / heads)
    distance = query_positions[:, None] - key_positions
    return -slopes[:, None, None] * distance.masked_fill(distance < 0, float("inf"))
