# framework: torch
# verdict: runtime_error
"""`F.one_hot(labels)` has as many columns as the largest label asks for. Say how many classes there are:
`F.one_hot(labels, logits.shape[1])`."""

import torch
import torch.nn.functional as F


def cross_entropy_gradient(logits, labels):
    return (torch.softmax(logits, dim=1) - F.one_hot(labels)) / len(labels)
