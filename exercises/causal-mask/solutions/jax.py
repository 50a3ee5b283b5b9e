# framework: jax
import jax.numpy as jnp


def causal_mask(scores):
    T = scores.shape[-1]
    visible = jnp.tril(jnp.ones((T, T), dtype=bool))            # (T, T)
    return jnp.where(visible, scores, -jnp.inf)                 # (B, H, T, T)
