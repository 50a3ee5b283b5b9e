# framework: jax
"""Your output has three axes: `take` and `x[:, index]` pick every place in every row. Here each row has indices
of its own: `jnp.take_along_axis`, or `x[rows, columns]` with an array for each axis."""

import jax.numpy as jnp


def gather_along_axis(x, index, axis):
    return jnp.take(x, index, axis=axis)
