# framework: jax
import jax.numpy as jnp


def rotary_position_embeddings(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-jnp.arange(0, d, 2) / d)                      # (d/2,)
    angle = positions[..., None] * theta                            # (N, T, d/2)
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    even, odd = x[..., 0::2], x[..., 1::2]                          # (N, T, d/2) each
    pairs = jnp.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1)  # (N, T, d/2, 2)
    return pairs.reshape(x.shape)
