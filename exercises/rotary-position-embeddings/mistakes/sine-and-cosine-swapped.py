# framework: jax
"""Sine and cosine have changed places. A pair at position 0 must stay as it is, and `cos(0)` is 1: the even columns are
`even * cos - odd * sin`, the odd ones `even * sin + odd * cos`."""

import jax.numpy as jnp


def rotary_position_embeddings(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-jnp.arange(0, d, 2) / d)
    angle = positions[..., None] * theta
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    even, odd = x[..., 0::2], x[..., 1::2]
    new_even = even * sin - odd * cos
    new_odd = even * cos + odd * sin
    return jnp.stack([new_even, new_odd], axis=-1).reshape(x.shape)
