# framework: torch
# verdict: invalid_submission
"""This lets PyTorch find the gradient. Derive the formula and write it yourself."""

import torch.nn.functional as F


def cross_entropy_gradient(logits, labels):
    scores = logits.clone().requires_grad_()
    F.cross_entropy(scores, labels).backward()
    return scores.grad
