# framework: numpy
import numpy as np


def linear_gradients(x, W, dy):
    dx, dW, db = np.zeros_like(x), np.zeros_like(W), np.zeros_like(dy[0])
    for n in range(x.shape[0]):
        dx[n] = W @ dy[n]                   # (I, O) @ (O,)
        dW += np.outer(x[n], dy[n])         # (I, O)
        db += dy[n]
    return {"dx": dx, "dW": dW, "db": db}
