# framework: jax
# verdict: runtime_error
"""You add the rows of the table, `(T, T, d)`, to the keys, `(H, T, d)`, and so queries meet heads on the first axis.
Each query sees each key with another vector: the sum needs an axis for each of heads, queries and keys."""

import jax.numpy as jnp


def relative_scores(queries, keys, max_distance, table):
    T, d = queries.shape[1:]
    distance = jnp.arange(T)[None, :] - jnp.arange(T)[:, None]
    rows = jnp.clip(distance, -max_distance, max_distance) + max_distance
    return jnp.einsum("hid,hjd->hij", queries, keys + table[rows]) / d**0.5
