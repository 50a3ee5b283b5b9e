# framework: torch
"""You keep only keys `j <= i`, as if there were no memory. The queries are the last `T` places, so query `i` sees keys
up to `i + K - T`: use `diagonal=K - T`."""

import torch
import torch.nn.functional as F


def relative_shift(scores):
    H, T, K = scores.shape
    padded = F.pad(scores, (1, 0))
    shifted = padded.view(H, K + 1, T)[:, 1:].reshape(H, T, K)
    return torch.tril(shifted)
