# framework: numpy
# verdict: runtime_error
"""`x @ dy` does not fit: `x` is `(N, I)`, and the product must sum over the rows. Transpose it: `x.T @ dy`."""


def linear_gradients(x, W, dy):
    return {"dx": dy @ W.T, "dW": x @ dy, "db": dy.sum(axis=0)}
