# framework: numpy
import numpy as np


def attention_scores(q, k):
    queries = q.transpose(0, 2, 1, 3)                       # (B, H, T, d)
    keys = k.transpose(0, 2, 3, 1)                          # (B, H, d, S)
    return queries @ keys / np.float32(np.sqrt(q.shape[-1]))    # (B, H, T, S)
