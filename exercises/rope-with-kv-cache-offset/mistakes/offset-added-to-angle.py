# framework: jax
"""You added `S` to the angles, so that every pair turns by `S` more, at whatever speed. Add it to the positions first,
and multiply these by `theta`."""

import jax.numpy as jnp


def rotate(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-jnp.arange(0, d, 2) / d)
    angle = positions[0][:, None] * theta + positions[1]
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    even, odd = x[..., 0::2], x[..., 1::2]
    return jnp.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1).reshape(x.shape)


def rope_with_cache(q, k, cached_keys, base):
    S, T = cached_keys.shape[2], q.shape[2]
    positions = (jnp.arange(T), S)
    return rotate(q, positions, base), jnp.concatenate([cached_keys, rotate(k, positions, base)], axis=2)
