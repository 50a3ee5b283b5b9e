# framework: numpy
"""`db` is a single number. Each output has a bias of its own: sum over the rows only, `axis=0`."""


def linear_gradients(x, W, dy):
    return {"dx": dy @ W.T, "dW": x.T @ dy, "db": dy.sum()}
