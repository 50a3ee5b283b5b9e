# framework: jax
# verdict: runtime_error
"""JAX arrays cannot be written to. Choose instead of assigning, `jnp.where(later, -jnp.inf, scores)`, or add a mask."""

import jax.numpy as jnp


def causal_mask(scores):
    T = scores.shape[-1]
    later = jnp.triu(jnp.ones((T, T), dtype=bool), k=1)
    scores[:, :, later] = -jnp.inf
    return scores
