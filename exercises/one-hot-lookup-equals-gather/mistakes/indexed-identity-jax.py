# framework: jax
"""An id outside the table got a row that is not its own: when you index in JAX, `-1` is the last row, and what is
past the end is clamped to it. Compare the ids with `jnp.arange(V)` instead, or call `jax.nn.one_hot`."""

import jax.numpy as jnp


def one_hot_lookup(ids, table):
    one_hot = jnp.eye(table.shape[0])[ids]
    return one_hot, one_hot @ table
