# framework: jax
"""Without ids you add nothing. `None` means that the ids are 0, 1, …, `T - 1`: add the first `T` rows."""

import jax.numpy as jnp


def add_positions(tokens, position_table, position_ids):
    N, T, d_model = tokens.shape
    if position_ids is None:
        return tokens * jnp.sqrt(d_model)
    return tokens * jnp.sqrt(d_model) + position_table[position_ids]
