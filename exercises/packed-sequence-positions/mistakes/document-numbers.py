# framework: jax
"""You return which document of the row each token is in. Asked is where the token is within its document: its place
minus the place where the document started."""

import jax.numpy as jnp


def packed_positions(segment_ids):
    changes = segment_ids[:, 1:] != segment_ids[:, :-1]
    return jnp.pad(jnp.cumsum(changes, axis=1), ((0, 0), (1, 0)))
