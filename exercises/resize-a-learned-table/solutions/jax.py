# framework: jax
import jax.numpy as jnp


def resize_table(table, new_len, align_corners):
    last = table.shape[0] - 1
    if align_corners:
        places = jnp.linspace(0, last, new_len)                             # (new_len,)
    else:
        places = (jnp.arange(new_len) + 0.5) * (last + 1) / new_len - 0.5
    places = jnp.clip(places, 0, last)
    below = jnp.floor(places).astype(jnp.int32)
    weight = (places - below)[:, None]
    above = jnp.minimum(below + 1, last)
    return table[below] + weight * (table[above] - table[below])            # (new_len, d_model)
