# framework: jax
# verdict: runtime_error
"""JAX arrays cannot be assigned to. Write `table = table.at[:, 0::2].set(...)`, or build the table in one step with
`jnp.where` or `jnp.stack`."""

import jax.numpy as jnp


def positional_encoding(max_len, d_model, base=10000.0):
    position = jnp.arange(max_len)[:, None]
    angle = position / base ** (jnp.arange(0, d_model, 2) / d_model)
    table = jnp.zeros((max_len, d_model))
    table[:, 0::2] = jnp.sin(angle)
    table[:, 1::2] = jnp.cos(angle[:, : d_model // 2])
    return table
