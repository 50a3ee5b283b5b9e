"""Follows the backward pass of `torch.nn.functional.embedding`."""

import torch


def expected(ids, upstream, max_len):
    table = torch.zeros(max_len, upstream.shape[-1], requires_grad=True)
    torch.nn.functional.embedding(torch.tensor(ids), table).backward(torch.tensor(upstream))
    return table.grad.numpy()
