# framework: torch
import torch


def attention_scores(q, k):
    return torch.einsum("bthd,bshd->bhts", q, k) * q.shape[-1] ** -0.5      # (B, H, T, S)
