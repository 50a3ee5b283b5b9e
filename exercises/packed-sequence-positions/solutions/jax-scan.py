# framework: jax
import jax
import jax.numpy as jnp


def packed_positions(segment_ids):
    def step(before, ids):
        previous_ids, previous_positions = before
        positions = jnp.where((ids == previous_ids) & (ids != 0), previous_positions + 1, 0)
        return (ids, positions), positions

    nothing = jnp.zeros(segment_ids.shape[0], dtype=jnp.int32)              # (N,)
    _, positions = jax.lax.scan(step, (nothing, nothing), segment_ids.T)    # (T, N)
    return positions.T
