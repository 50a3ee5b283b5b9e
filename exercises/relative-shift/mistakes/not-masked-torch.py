# framework: torch
"""The keys up to each query are right, but for later keys you return scores that belong to the next query. Set them to
0: `torch.tril(shifted, diagonal=K - T)`."""

import torch
import torch.nn.functional as F


def relative_shift(scores):
    H, T, K = scores.shape
    padded = F.pad(scores, (1, 0))
    shifted = padded.view(H, K + 1, T)[:, 1:].reshape(H, T, K)
    return shifted
