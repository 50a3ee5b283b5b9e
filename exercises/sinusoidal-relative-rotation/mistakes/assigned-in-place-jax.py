# framework: jax
# verdict: runtime_error
"""JAX arrays cannot be assigned to. Write `matrix = matrix.at[rows, columns].set(...)`, or give the blocks to
`jax.scipy.linalg.block_diag`."""

import jax.numpy as jnp


def relative_rotation(k, d_model, base):
    sine = jnp.arange(0, d_model, 2)
    angle = k * base ** (-sine / d_model)
    matrix = jnp.zeros((d_model, d_model))
    matrix[sine, sine] = jnp.cos(angle)
    return matrix
