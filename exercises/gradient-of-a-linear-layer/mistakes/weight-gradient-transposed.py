# framework: numpy
"""`dW` has the shape `(O, I)`, as the weight of PyTorch's `nn.Linear`. Here `W` is `(I, O)`: write `x.T @ dy`."""


def linear_gradients(x, W, dy):
    return {"dx": dy @ W.T, "dW": dy.T @ x, "db": dy.sum(axis=0)}
