# framework: jax
# verdict: runtime_error
"""You read `W` as `(O, I)`, the way PyTorch's `nn.Linear` stores it. Here `W` is `(I, O)` and `y` is `x @ W + b`. Both `dx`
and `dW` follow from that."""


def linear_gradients(x, W, dy):
    return {"dx": dy @ W, "dW": dy.T @ x, "db": dy.sum(axis=0)}
