# framework: jax
"""You appended the new keys as they came. The cache holds rotated keys, so rotate `k` to the positions `S` to `S + T -
1` before you append it."""

import jax.numpy as jnp


def rotate(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-jnp.arange(0, d, 2) / d)
    angle = positions[:, None] * theta
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    even, odd = x[..., 0::2], x[..., 1::2]
    return jnp.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1).reshape(x.shape)


def rope_with_cache(q, k, cached_keys, base):
    S, T = cached_keys.shape[2], q.shape[2]
    positions = jnp.arange(S, S + T)
    return rotate(q, positions, base), jnp.concatenate([cached_keys, k], axis=2)
