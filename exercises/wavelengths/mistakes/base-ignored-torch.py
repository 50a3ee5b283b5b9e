# framework: torch
"""You use 10000 whatever `base` is. Put the argument in its place."""

import math

import torch


def wavelengths(d_model, base):
    pair = torch.arange(d_model // 2)
    return 2 * math.pi * 10000.0 ** (2 * pair / d_model)
