# framework: torch
import math

import torch


def wavelengths(d_model, base):
    pairs = d_model // 2
    last_exponent = 2 * (pairs - 1) / d_model
    return 2 * math.pi * torch.logspace(0, last_exponent, pairs, base=base)
