# framework: numpy
"""You divide by the variance. Divide by its square root, `sqrt(variance + eps)`, so that the result has variance 1."""


def layer_norm(x, scale, shift, eps):
    centred = x - x.mean(axis=-1, keepdims=True)
    return scale * centred / (x.var(axis=-1, keepdims=True) + eps) + shift
