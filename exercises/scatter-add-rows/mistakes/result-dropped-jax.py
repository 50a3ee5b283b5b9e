# framework: jax
"""You return zeros. `out.at[ids].add(rows)` changes nothing in `out`: it returns a new array. Keep that: `out =
out.at[ids].add(rows)`."""

import jax.numpy as jnp


def scatter_add_rows(rows, ids, K):
    out = jnp.zeros((K, rows.shape[1]))
    out.at[ids].add(rows)
    return out
