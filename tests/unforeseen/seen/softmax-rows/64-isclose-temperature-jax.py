# cause: divided by sqrt of the number of columns before the softmax, as in attention; no scale belongs here.
# names: sqrt|root|scale|divid|temperature|factor|power
import jax
import jax.numpy as jnp


def solve(x):
    return jax.nn.softmax(x / jnp.sqrt(x.shape[1]), axis=1)
