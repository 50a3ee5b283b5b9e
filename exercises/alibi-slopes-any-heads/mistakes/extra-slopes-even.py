# framework: jax
"""Your extra slopes are the 2nd, 4th, … for `2 * p` heads, which your first `p` slopes contain already. Begin with
the 1st: `[0::2]`, since Python counts from zero."""

import jax.numpy as jnp


def geometric(p):
    return 2.0 ** (-8 * jnp.arange(1, p + 1) / p)


def alibi_slopes(n_heads):
    p = 1 << (n_heads.bit_length() - 1)
    return jnp.concatenate([geometric(p), geometric(2 * p)[1::2][: n_heads - p]])
