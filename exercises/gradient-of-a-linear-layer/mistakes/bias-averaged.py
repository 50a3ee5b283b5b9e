# framework: numpy
"""`db` is the mean over the rows. Every row has the same bias, so their gradients add up: sum over axis 0."""


def linear_gradients(x, W, dy):
    return {"dx": dy @ W.T, "dW": x.T @ dy, "db": dy.mean(axis=0)}
