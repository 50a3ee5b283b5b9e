# framework: jax
# verdict: runtime_error
"""JAX arrays cannot be assigned to. Write `gradient = gradient.at[ids].add(upstream)`, which returns a new array."""

import jax.numpy as jnp


def embedding_gradient(ids, upstream, max_len):
    gradient = jnp.zeros((max_len, upstream.shape[-1]), dtype=jnp.float32)
    gradient[ids] += upstream
    return gradient
