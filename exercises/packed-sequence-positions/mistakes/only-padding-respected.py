# framework: jax
"""You count through the whole row and leave out only the padding. The count also goes back to 0 wherever the id differs
from the one before."""

import jax.numpy as jnp


def packed_positions(segment_ids):
    return jnp.where(segment_ids == 0, 0, jnp.arange(segment_ids.shape[1]))
