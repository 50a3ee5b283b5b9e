# framework: jax
"""All your wavelengths are equal: every exponent has become 0, as `2 * pair // d_model` makes it. Divide with `/`,
which keeps the fraction."""

import jax.numpy as jnp


def wavelengths(d_model, base):
    pair = jnp.arange(d_model // 2)
    return 2 * jnp.pi * base ** (2 * pair // d_model)
