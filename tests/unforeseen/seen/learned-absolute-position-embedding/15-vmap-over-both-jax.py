# cause: vmap maps over the table as well as over the ids, although the table has no sentence axis; give in_axes=(0, None).
# names: in_axes|\bvmap|\bmap(s|ped|ping)?\b.{0,40}(table|both)|(table|both).{0,40}\bmapp?(ed|s)?\b|(different|inconsistent) sizes?
import jax
import jax.numpy as jnp


def lookup(ids, table):
    return table[ids]


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(jnp.int32)
    return jax.vmap(lookup)(ids, embedding_table)
