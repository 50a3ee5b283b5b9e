# framework: jax
# verdict: runtime_error
"""Your array of rows, `jnp.arange(N)`, lines up with the columns of the index. Make it a column: `jnp.arange(N)[:, None]`."""

import jax.numpy as jnp


def gather_along_axis(x, index, axis):
    if axis in (0, -2):
        return x[index, jnp.arange(x.shape[1])]
    return x[jnp.arange(x.shape[0]), index]
