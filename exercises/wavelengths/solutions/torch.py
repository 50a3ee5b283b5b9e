# framework: torch
import math

import torch


def wavelengths(d_model, base):
    pair = torch.arange(d_model // 2)                           # (d_model/2,)
    return 2 * math.pi * base ** (2 * pair / d_model)
