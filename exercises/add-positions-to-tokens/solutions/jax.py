# framework: jax
import jax.numpy as jnp


def add_positions(tokens, position_table, position_ids):
    N, T, d_model = tokens.shape
    if position_ids is None:
        rows = position_table[:T]                               # (T, d_model): the first T positions
    else:
        rows = jnp.take(position_table, position_ids, axis=0)   # (N, T, d_model)
    return tokens * d_model**0.5 + rows
