# framework: jax
import jax
import jax.numpy as jnp


def layer_norm(x, scale, shift, eps):
    mean = jnp.mean(x, axis=-1, keepdims=True)              # (B, T, 1)
    variance = jnp.var(x, axis=-1, keepdims=True)           # (B, T, 1)
    return (x - mean) * jax.lax.rsqrt(variance + eps) * scale + shift
