# framework: jax
"""Your documents count from one. The first token of a document has position 0."""

import jax.numpy as jnp


def packed_positions(segment_ids):
    place = jnp.arange(segment_ids.shape[1])
    before = jnp.pad(segment_ids, ((0, 0), (1, 0)), constant_values=-1)[:, :-1]
    start = jnp.maximum.accumulate(jnp.where(segment_ids != before, place, 0), axis=1)
    return jnp.where(segment_ids == 0, 0, place - start + 1)
