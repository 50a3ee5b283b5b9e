# framework: jax
import jax.numpy as jnp


def embedding_gradient(ids, upstream, max_len):
    gradient = jnp.zeros((max_len, upstream.shape[-1]), dtype=upstream.dtype)
    return gradient.at[ids].add(upstream)                   # (max_len, d_model)
