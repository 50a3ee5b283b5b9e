# framework: torch
import torch
import torch.nn.functional as F


def relative_shift(scores):
    H, T, K = scores.shape
    padded = F.pad(scores, (1, 0))                                          # (H, T, K + 1)
    shifted = padded.view(H, K + 1, T)[:, 1:].reshape(H, T, K)
    return torch.tril(shifted, diagonal=K - T)
