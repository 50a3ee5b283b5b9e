# framework: jax
"""JAX does not raise for an id without a row: it gives the last one. Compare the ids with 0 and `max_len` yourself,
and raise a `ValueError`."""

import jax.numpy as jnp


def look_up(table, ids, clip):
    max_len = table.shape[0]
    if not clip:
        return table[ids]
    return table[jnp.clip(ids, 0, max_len - 1)]
