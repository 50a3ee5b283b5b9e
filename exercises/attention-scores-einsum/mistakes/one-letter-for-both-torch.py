# framework: torch
# verdict: runtime_error
"""Queries and keys have the same letter in your string, so einsum matches query t with key t, and fails unless there are
as many. Give the keys a letter of their own: `bshi`."""

import math

import torch


def attention_scores(q, k):
    return torch.einsum("bthi,bthi->bht", q, k) / math.sqrt(q.shape[-1])
