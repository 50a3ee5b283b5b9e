# framework: numpy
"""Your gradients have the opposite sign. Return the gradients themselves: the minus belongs to the step of the optimiser."""


def linear_gradients(x, W, dy):
    return {"dx": -dy @ W.T, "dW": -x.T @ dy, "db": -dy.sum(axis=0)}
