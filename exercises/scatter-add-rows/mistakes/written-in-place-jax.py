# framework: jax
# verdict: runtime_error
"""JAX arrays cannot be changed in place, so `out[ids] += rows` is refused. Write `out = out.at[ids].add(rows)`."""

import jax.numpy as jnp


def scatter_add_rows(rows, ids, K):
    out = jnp.zeros((K, rows.shape[1]))
    out[ids] += rows
    return out
