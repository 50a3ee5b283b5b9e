# framework: torch
# verdict: runtime_error
"""`masked_fill` needs a mask of booleans, and `torch.ones` makes floats. Write `torch.ones(T, T,
dtype=torch.bool).triu(diagonal=1)`."""

import torch


def causal_mask(scores):
    T = scores.shape[-1]
    return scores.masked_fill(torch.ones(T, T).triu(diagonal=1), float("-inf"))
