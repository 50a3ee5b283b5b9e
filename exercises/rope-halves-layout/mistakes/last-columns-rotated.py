# framework: jax
"""You rotated the last `rotary_dim` columns and left the first ones alone. It is the other way round: the first
`rotary_dim` columns turn, and those behind them stay."""

import jax.numpy as jnp


def rotate_halves(x, positions, rotary_dim, base):
    half = rotary_dim // 2
    theta = base ** (-jnp.arange(half) / half)
    angle = positions[:, None] * theta
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    first, second, rest = x[..., -rotary_dim : x.shape[-1] - half], x[..., x.shape[-1] - half :], x[..., :-rotary_dim]
    new_first = first * cos - second * sin
    new_second = second * cos + first * sin
    return jnp.concatenate([rest, new_first, new_second], axis=-1)
