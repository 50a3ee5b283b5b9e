# framework: jax
import jax


def solve(x):
    return jax.nn.softmax(x, axis=-1)       # (N, C)
