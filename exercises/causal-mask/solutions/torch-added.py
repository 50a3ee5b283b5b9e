# framework: torch
import torch
from torch import nn


def causal_mask(scores):
    return scores + nn.Transformer.generate_square_subsequent_mask(scores.shape[-1])    # (B, H, T, T)
