"""Automatic differentiation of torch's own `torch.nn.functional.cross_entropy`, by default the mean of the
rows."""

import torch


def expected(logits, labels):
    scores = torch.from_numpy(logits.copy()).requires_grad_()
    loss = torch.nn.functional.cross_entropy(scores, torch.from_numpy(labels.copy()))
    return torch.autograd.grad(loss, scores)[0].numpy()
