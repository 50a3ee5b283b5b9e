# framework: jax
"""Both of your formulas add, so the pairs are not turned. The second half enters the first one with a minus: `first *
cos - second * sin`."""

import jax.numpy as jnp


def rotate_halves(x, positions, rotary_dim, base):
    half = rotary_dim // 2
    theta = base ** (-jnp.arange(half) / half)
    angle = positions[:, None] * theta
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    first, second, rest = x[..., :half], x[..., half:rotary_dim], x[..., rotary_dim:]
    new_first = first * cos + second * sin
    new_second = second * cos + first * sin
    return jnp.concatenate([new_first, new_second, rest], axis=-1)
