# framework: jax
import jax
import jax.numpy as jnp


def packed_positions(segment_ids):
    N, T = segment_ids.shape
    place = jnp.arange(T, dtype=jnp.int32)                                  # (T,)
    changes = segment_ids[:, 1:] != segment_ids[:, :-1]                     # (N, T - 1)
    starts = jnp.concatenate([jnp.ones((N, 1), dtype=bool), changes], axis=1)
    latest_start = jax.lax.cummax(jnp.where(starts, place, 0), axis=1)      # (N, T)
    return jnp.where(segment_ids == 0, 0, place - latest_start)
