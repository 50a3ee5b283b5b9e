# framework: jax
import jax.numpy as jnp


def causal_mask(scores):
    T = scores.shape[-1]
    return scores + jnp.triu(jnp.full((T, T), -jnp.inf), k=1)   # (B, H, T, T)
