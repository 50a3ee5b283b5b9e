# framework: torch
"""Your blocks overlap: block $i$ starts at row and column $i$. Each block is two wide, so it starts at $2i$."""

import torch


def relative_rotation(k, d_model, base):
    angle = k * base ** (-torch.arange(0, d_model, 2) / d_model)
    matrix = torch.zeros(d_model, d_model)
    for pair in range(d_model // 2):
        cos, sin = torch.cos(angle[pair]), torch.sin(angle[pair])
        matrix[pair : pair + 2, pair : pair + 2] = torch.tensor([[cos, sin], [-sin, cos]])
    return matrix
