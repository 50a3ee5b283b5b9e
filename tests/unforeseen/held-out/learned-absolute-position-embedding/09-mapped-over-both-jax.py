# cause: vmap maps over the first axis of both arguments, but only the ids have one row per sentence; the table must not be mapped, in_axes=(0, None).
# names: in_axes|vmap.{0,100}(both|table|second|all|every|argument|size|axis)|map\w* over (both|the table|the rows)|(inconsistent|different|unequal) (sizes|lengths)|one row (of the table )?(for|per|to) each sentence|None\)
import jax
import jax.numpy as jnp


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(jnp.int32)

    def lookup(sentence, table):
        return table[sentence]

    return jax.vmap(lookup)(ids, embedding_table)
