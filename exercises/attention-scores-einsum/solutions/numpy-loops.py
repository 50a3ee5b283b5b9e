# framework: numpy
import math

import numpy as np


def attention_scores(q, k):
    B, T, H, d = q.shape
    out = np.empty((B, H, T, k.shape[1]), dtype=np.float32)
    for b in range(B):
        for h in range(H):
            out[b, h] = q[b, :, h] @ k[b, :, h].T           # (T, d) @ (d, S)
    return out / math.sqrt(d)
