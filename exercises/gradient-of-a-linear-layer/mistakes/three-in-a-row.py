# framework: numpy
"""You return a tuple. Return a dict with the keys `"dx"`, `"dW"` and `"db"`."""


def linear_gradients(x, W, dy):
    return dy @ W.T, x.T @ dy, dy.sum(axis=0)
