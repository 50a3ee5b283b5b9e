# framework: jax
import jax.numpy as jnp


def relative_scores(queries, keys, max_distance, table):
    T, d = queries.shape[1:]
    distance = jnp.arange(T)[None, :] - jnp.arange(T)[:, None]              # (T, T)
    rows = jnp.clip(distance, -max_distance, max_distance) + max_distance
    content = jnp.einsum("hid,hjd->hij", queries, keys)
    position = jnp.einsum("hid,ijd->hij", queries, table[rows])
    return (content + position) / d**0.5
