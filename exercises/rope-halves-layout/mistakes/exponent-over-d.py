# framework: jax
"""Your speeds are divided by the wrong width: the exponent of `base` is `-2i / rotary_dim`, and you divided by `d`. The
columns that stay have no part in the angles."""

import jax.numpy as jnp


def rotate_halves(x, positions, rotary_dim, base):
    half = rotary_dim // 2
    theta = base ** (-2 * jnp.arange(half) / x.shape[-1])
    angle = positions[:, None] * theta
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    first, second, rest = x[..., :half], x[..., half:rotary_dim], x[..., rotary_dim:]
    new_first = first * cos - second * sin
    new_second = second * cos + first * sin
    return jnp.concatenate([new_first, new_second, rest], axis=-1)
