# framework: jax
"""You took neighbours as pairs, but wrote them back as two halves. `x` is in the halves layout already: its pairs are
column `i` and column `i + rotary_dim / 2`."""

import jax.numpy as jnp


def rotate_halves(x, positions, rotary_dim, base):
    half = rotary_dim // 2
    theta = base ** (-jnp.arange(half) / half)
    angle = positions[:, None] * theta
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    first, second, rest = x[..., 0:rotary_dim:2], x[..., 1:rotary_dim:2], x[..., rotary_dim:]
    new_first = first * cos - second * sin
    new_second = second * cos + first * sin
    return jnp.concatenate([new_first, new_second, rest], axis=-1)
