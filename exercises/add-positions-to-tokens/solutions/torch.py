# framework: torch
import math

import torch


def add_positions(tokens, position_table, position_ids):
    N, T, d_model = tokens.shape
    if position_ids is None:
        position_ids = torch.arange(T).expand(N, T)             # (N, T), without a copy
    return math.sqrt(d_model) * tokens + position_table[position_ids]
