# framework: jax
# verdict: runtime_error
"""JAX arrays cannot be changed in place. Stack the new columns, `jnp.stack([new_even, new_odd],
axis=-1).reshape(x.shape)`, or write `out = out.at[..., 0::2].set(new_even)`."""

import jax.numpy as jnp


def rotary_position_embeddings(x, positions, base):
    d = x.shape[-1]
    theta = base ** (-jnp.arange(0, d, 2) / d)
    angle = positions[..., None] * theta
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    even, odd = x[..., 0::2], x[..., 1::2]
    out = jnp.zeros_like(x)
    out[..., 0::2] = even * cos - odd * sin
    out[..., 1::2] = even * sin + odd * cos
    return out
