# framework: numpy
"""`db` is summed over the outputs, and has the shape `(N,)`. Sum over the rows, `axis=0`, for the shape `(O,)`."""


def linear_gradients(x, W, dy):
    return {"dx": dy @ W.T, "dW": x.T @ dy, "db": dy.sum(axis=1)}
