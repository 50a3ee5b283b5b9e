# framework: numpy
# verdict: runtime_error
"""You multiply number by number, and the shapes do not fit. The gradients of all paths add up: use matrix products, `dy @
W.T` and `x.T @ dy`."""


def linear_gradients(x, W, dy):
    return {"dx": dy * W, "dW": x * dy, "db": dy.sum(axis=0)}
