# framework: jax
# verdict: runtime_error
"""In JAX `transpose` takes the new order of all axes, and you gave it two. Write `.transpose(0, 2, 1, 3)`, or
`.swapaxes(1, 2)`."""


def split_heads(x, H):
    B, T, D = x.shape
    return x.reshape(B, T, H, D // H).transpose(1, 2)
