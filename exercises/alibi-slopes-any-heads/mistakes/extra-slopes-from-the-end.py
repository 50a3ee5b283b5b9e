# framework: jax
"""Your extra slopes are the flattest of every second one for `2 * p` heads. Take the steepest first: the 1st, 3rd,
5th, … from the front, `n_heads - p` of them."""

import jax.numpy as jnp


def geometric(p):
    return 2.0 ** (-8 * jnp.arange(1, p + 1) / p)


def alibi_slopes(n_heads):
    p = 1 << (n_heads.bit_length() - 1)
    return jnp.concatenate([geometric(p), geometric(2 * p)[0::2][2 * p - n_heads :]])
