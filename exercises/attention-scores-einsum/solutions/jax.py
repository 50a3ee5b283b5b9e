# framework: jax
import jax.numpy as jnp


def attention_scores(q, k):
    return jnp.einsum("bthd,bshd->bhts", q, k) / jnp.sqrt(q.shape[-1])      # (B, H, T, S)
