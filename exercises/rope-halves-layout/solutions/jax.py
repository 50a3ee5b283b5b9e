# framework: jax
import jax.numpy as jnp


def rotate_halves(x, positions, rotary_dim, base):
    half = rotary_dim // 2
    theta = base ** (-jnp.arange(half) / half)                       # (half,)
    angle = positions[:, None] * theta                              # (T, half)
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    first, second, rest = x[..., :half], x[..., half:rotary_dim], x[..., rotary_dim:]
    parts = [first * cos - second * sin, second * cos + first * sin, rest]
    return jnp.concatenate(parts, axis=-1)  # (N, H, T, d)
