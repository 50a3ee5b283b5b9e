# framework: jax
"""Your speeds fall too slowly from pair to pair: the exponent of `base` is `-2i / d`, and you used `-i / d`. Count in
steps of two, `jnp.arange(0, d, 2) / d`."""

import jax.numpy as jnp


def rotary_position_embeddings(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-jnp.arange(d // 2) / d)
    angle = positions[..., None] * theta
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    even, odd = x[..., 0::2], x[..., 1::2]
    new_even = even * cos - odd * sin
    new_odd = even * sin + odd * cos
    return jnp.stack([new_even, new_odd], axis=-1).reshape(x.shape)
