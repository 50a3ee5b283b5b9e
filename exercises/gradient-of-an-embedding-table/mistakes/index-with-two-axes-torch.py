# framework: torch
# verdict: runtime_error
"""`index_add_` takes a list of rows, with one axis, but your ids have two. Flatten both: `gradient.index_add_(0,
ids.flatten(), upstream.flatten(0, 1))`."""

import torch


def embedding_gradient(ids, upstream, max_len):
    gradient = torch.zeros(max_len, upstream.shape[-1])
    gradient.index_add_(0, ids, upstream)
    return gradient
