# framework: jax
"""Your `p` is the largest power of two that divides `n_heads`, so it is 1 for an odd number and 4 for 12. It has to
be the largest that is at most `n_heads`. The slopes in between then come from the wrong `2 * p`, too."""

import jax.numpy as jnp


def alibi_slopes(n_heads):
    p = n_heads & -n_heads
    own = jnp.arange(1, p + 1) / p
    between = (2 * jnp.arange(n_heads - p) + 1) / (2 * p)
    return 2.0 ** (-8 * jnp.concatenate([own, between]))
