# framework: jax
"""You measure the distance to the first token of the row with the same id. An id that comes back begins a new document:
measure from the latest place where the id changed."""

import jax.numpy as jnp


def packed_positions(segment_ids):
    first = (segment_ids[:, :, None] == segment_ids[:, None, :]).argmax(axis=2)
    return jnp.where(segment_ids == 0, 0, jnp.arange(segment_ids.shape[1]) - first)
