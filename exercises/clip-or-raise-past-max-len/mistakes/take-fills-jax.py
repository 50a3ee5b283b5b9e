# framework: jax
"""Your rows past the end are NaN, which is what `jnp.take` gives for ids without a row. Clip the ids first:
`jnp.clip(ids, 0, max_len - 1)`."""

import jax.numpy as jnp


def look_up(table, ids, clip):
    max_len = table.shape[0]
    if not clip and bool(jnp.any((ids < 0) | (ids >= max_len))):
        raise ValueError(f"ids must be from 0 to {max_len - 1}")
    return jnp.take(table, ids, axis=0)
