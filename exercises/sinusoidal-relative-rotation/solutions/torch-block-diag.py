# framework: torch
import math

import torch


def relative_rotation(k, d_model, base):
    blocks = []
    for pair in range(d_model // 2):
        angle = k * base ** (-2 * pair / d_model)
        sin, cos = math.sin(angle), math.cos(angle)
        blocks.append(torch.tensor([[cos, sin], [-sin, cos]]))
    return torch.block_diag(*blocks)
