# framework: numpy
import numpy as np


def embedding_gradient(ids, upstream, max_len):
    N, T, d_model = upstream.shape
    gradient = np.zeros((max_len, d_model), dtype=np.float32)
    for n in range(N):
        for t in range(T):
            gradient[ids[n, t]] += upstream[n, t]
    return gradient
