# cause: jax.nn.softmax over axis 0
# names: axis|along N
import jax


def solve(x):
    return jax.nn.softmax(x, axis=0)
