# framework: jax
"""The extra slopes stand before the others. Put them last: the first `p` heads have the slopes of the power of two."""

import jax.numpy as jnp


def alibi_slopes(n_heads):
    p = 1 << (n_heads.bit_length() - 1)
    own = jnp.arange(1, p + 1) / p
    between = (2 * jnp.arange(n_heads - p) + 1) / (2 * p)
    return 2.0 ** (-8 * jnp.concatenate([between, own]))
