# framework: jax
"""You used the ratio one half for every model. That is right for 8 heads only; with `p` heads the ratio is `2 ** (-8
/ p)`."""

import jax.numpy as jnp


def alibi_slopes(n_heads):
    p = 1 << (n_heads.bit_length() - 1)
    own = jnp.arange(1, p + 1)
    between = (2 * jnp.arange(n_heads - p) + 1) / 2
    return 2.0 ** -jnp.concatenate([own, between])
