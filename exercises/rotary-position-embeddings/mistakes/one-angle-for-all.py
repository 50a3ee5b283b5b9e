# framework: jax
"""All pairs turn at the speed of the first one. Each pair has its own: `theta` has `d/2` numbers, `base ** (-2i / d)`."""

import jax.numpy as jnp


def rotary_position_embeddings(x, positions, base):
    d = x.shape[-1]
    theta = jnp.ones(d // 2)
    angle = positions[..., None] * theta
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    even, odd = x[..., 0::2], x[..., 1::2]
    new_even = even * cos - odd * sin
    new_odd = even * sin + odd * cos
    return jnp.stack([new_even, new_odd], axis=-1).reshape(x.shape)
