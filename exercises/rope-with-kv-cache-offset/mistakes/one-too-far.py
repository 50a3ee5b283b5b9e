# framework: jax
"""Your new tokens are one position too far. Positions count from zero, so the `S` cached keys are at 0 to `S - 1`, and
the first new token is at `S`."""

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
    positions = jnp.arange(S + 1, S + T + 1)
    return rotate(q, positions, base), jnp.concatenate([cached_keys, rotate(k, positions, base)], axis=2)
