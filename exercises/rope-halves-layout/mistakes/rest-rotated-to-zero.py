# framework: jax
"""The columns from `rotary_dim` on are zero in your output. They do not turn, but they are still needed: copy them from
`x`."""

import jax.numpy as jnp


def rotate_halves(x, positions, rotary_dim, base):
    half = rotary_dim // 2
    theta = base ** (-jnp.arange(half) / half)
    angle = positions[:, None] * theta
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    first, second, rest = x[..., :half], x[..., half:rotary_dim], x[..., rotary_dim:]
    new_first = first * cos - second * sin
    new_second = second * cos + first * sin
    return jnp.concatenate([new_first, new_second, jnp.zeros_like(rest)], axis=-1)
