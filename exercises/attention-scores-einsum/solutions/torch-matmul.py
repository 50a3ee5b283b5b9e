# framework: torch
import math

import torch


def attention_scores(q, k):
    queries, keys = q.transpose(1, 2), k.permute(0, 2, 3, 1)            # (B, H, T, d), (B, H, d, S)
    return torch.matmul(queries, keys) / math.sqrt(q.shape[-1])         # (B, H, T, S)
