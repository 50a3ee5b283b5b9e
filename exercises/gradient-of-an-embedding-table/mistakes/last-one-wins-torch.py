# framework: torch
"""Of the tokens that share a row, only the last one counts. `gradient[ids] += upstream` reads all rows before it
writes any: use `index_add_`, or `index_put_((ids,), upstream, accumulate=True)`."""

import torch


def embedding_gradient(ids, upstream, max_len):
    gradient = torch.zeros(max_len, upstream.shape[-1])
    gradient[ids] += upstream
    return gradient
