# framework: jax
"""JAX clips large ids by itself, but takes negative ones from the end: `-1` is the last row. Clip both ends:
`jnp.clip(ids, 0, max_len - 1)`."""

import jax.numpy as jnp


def look_up(table, ids, clip):
    max_len = table.shape[0]
    if not clip and bool(jnp.any((ids < 0) | (ids >= max_len))):
        raise ValueError(f"ids must be from 0 to {max_len - 1}")
    return table[ids]
