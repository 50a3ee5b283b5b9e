# framework: jax
"""Your values are right for the keys up to each query, and NaN after it: `jnp.take_along_axis` gives NaN for a column
that does not exist. Set later keys to 0: `jnp.where(columns < K, out, 0)`."""

import jax.numpy as jnp


def relative_shift(scores):
    H, T, K = scores.shape
    columns = jnp.arange(K) + T - 1 - jnp.arange(T)[:, None]
    return jnp.take_along_axis(scores, columns[None], axis=2)
