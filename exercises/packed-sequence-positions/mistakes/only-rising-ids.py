# framework: jax
"""You start again only where the id is larger than the one before. Ids may fall as well: a document begins wherever the
id differs, `!=`."""

import jax.numpy as jnp


def packed_positions(segment_ids):
    place = jnp.arange(segment_ids.shape[1])
    starts = jnp.pad(jnp.diff(segment_ids, axis=1) > 0, ((0, 0), (1, 0)))
    start = jnp.maximum.accumulate(starts * place, axis=1)
    return jnp.where(segment_ids == 0, 0, place - start)
