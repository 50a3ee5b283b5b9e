# framework: numpy
# verdict: runtime_error
"""`dy @ W` does not fit: `W` is `(I, O)`, and the product must sum over the outputs. Transpose it: `dy @ W.T`."""


def linear_gradients(x, W, dy):
    return {"dx": dy @ W, "dW": x.T @ dy, "db": dy.sum(axis=0)}
