# framework: jax
import jax.numpy as jnp


def rope_relative_check(q, k, rotated_q, rotated_k, base):
    T, d = rotated_q.shape
    scores = rotated_q @ rotated_k.T                                # (T, T)
    theta = base ** (-jnp.arange(0, d, 2) / d)                      # (d/2,)
    distances = jnp.arange(-(T - 1), T)                             # (2T-1,)
    cos, sin = jnp.cos(distances[:, None] * theta), jnp.sin(distances[:, None] * theta)
    even, odd = k[0::2] * cos - k[1::2] * sin, k[0::2] * sin + k[1::2] * cos
    wanted = even @ q[0::2] + odd @ q[1::2]                         # (2T-1,)
    place = jnp.arange(T)
    on = (place - place[:, None]) == distances[:, None, None]       # (2T-1, T, T)
    largest = jnp.where(on, scores, -jnp.inf).max(axis=(1, 2))
    smallest = jnp.where(on, scores, jnp.inf).min(axis=(1, 2))
    error = jnp.where(on, jnp.abs(scores - wanted[:, None, None]), 0).max(axis=(1, 2))
    return {"spread": largest - smallest, "error": error}
