# framework: numpy
"""`dW` and `db` are divided by the number of rows. Sum over the rows and do not average: a mean in the loss is in `dy`
already."""


def linear_gradients(x, W, dy):
    return {"dx": dy @ W.T, "dW": x.T @ dy / len(x), "db": dy.mean(axis=0)}
