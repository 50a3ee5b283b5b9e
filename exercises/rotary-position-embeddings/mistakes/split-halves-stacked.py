# framework: jax
"""You took the pairs from the two halves of each vector, columns `i` and `i + d/2`, and wrote them back side by side.
Take neighbours: `x[..., 0::2]` and `x[..., 1::2]`."""

import jax.numpy as jnp


def rotary_position_embeddings(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-jnp.arange(0, d, 2) / d)
    angle = positions[..., None] * theta
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    even, odd = jnp.split(x, 2, axis=-1)
    new_even = even * cos - odd * sin
    new_odd = even * sin + odd * cos
    return jnp.stack([new_even, new_odd], axis=-1).reshape(x.shape)
