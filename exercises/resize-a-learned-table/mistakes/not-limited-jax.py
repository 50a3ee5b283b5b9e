# framework: jax
"""Your middle rows are right, but places outside of the table are not limited, so the line continues past its ends, or
the last row is taken for the first. Limit the places to 0 and `max_len - 1` first: `jnp.clip(places, 0, max_len -
1)`."""

import jax.numpy as jnp


def resize_table(table, new_len, align_corners):
    last = table.shape[0] - 1
    if align_corners:
        places = jnp.arange(new_len) * last / max(new_len - 1, 1)
    else:
        places = (jnp.arange(new_len) + 0.5) * (last + 1) / new_len - 0.5
    below = jnp.floor(places).astype(jnp.int32)
    weight = (places - below)[:, None]
    return (1 - weight) * table[below] + weight * table[below + 1]
