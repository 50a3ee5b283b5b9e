# framework: jax
import jax.numpy as jnp


def one_hot_lookup(ids, table):
    matches = jnp.expand_dims(ids, -1) == jnp.arange(table.shape[0])    # (N, T, V)
    one_hot = jnp.where(matches, 1.0, 0.0)
    return one_hot, jnp.einsum("ntv,vd->ntd", one_hot, table)
