# framework: jax
"""Your gradient is zero everywhere. JAX arrays never change: `.at[ids].add(…)` returns a new array, so assign it or
return it."""

import jax.numpy as jnp


def embedding_gradient(ids, upstream, max_len):
    gradient = jnp.zeros((max_len, upstream.shape[-1]), dtype=jnp.float32)
    gradient.at[ids].add(upstream)
    return gradient
