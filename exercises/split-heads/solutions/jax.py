# framework: jax
import jax.numpy as jnp


def split_heads(x, H):
    B, T, D = x.shape
    return jnp.swapaxes(x.reshape(B, T, H, D // H), 1, 2)   # (B, H, T, d)
