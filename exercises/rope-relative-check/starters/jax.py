import jax
import jax.numpy as jnp


def rope_relative_check(
    q: jax.Array,
    k: jax.Array,
    rotated_q: jax.Array,
    rotated_k: jax.Array,
    base: float,
) -> dict[str, jax.Array]:
    """For each distance: how far its scores are apart, and from RoPE's.

    q, k:                 (d,) float64
    rotated_q, rotated_k: (T, d) float64, at positions 0 to T - 1
    returns:              "spread" and "error", (2T - 1,) float64 each
    """
    # 1. All scores: (T, T), row m for the query, column n for the key.
    # 2. What each distance n - m should score: (2T - 1,).
    # 3. The scores of each distance lie on a diagonal.
    raise NotImplementedError("write steps 1 to 3")
