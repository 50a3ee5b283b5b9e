# framework: numpy
import numpy as np


def one_hot_lookup(ids, table):
    N, T = ids.shape
    V = table.shape[0]
    one_hot = np.zeros((N, T, V), dtype=np.float32)
    for n in range(N):
        for t in range(T):
            if 0 <= ids[n, t] < V:
                one_hot[n, t, ids[n, t]] = 1
    return one_hot, np.matmul(one_hot, table)
