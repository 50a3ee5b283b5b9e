import jax
import jax.numpy as jnp


def relative_scores(
    queries: jax.Array, keys: jax.Array, max_distance: int, table: jax.Array
) -> jax.Array:
    """Attention scores with relative positions in the keys.

    queries, keys: (H, T, d) float32
    table:         (2 * max_distance + 1, d) float32, row r is for
                   the distance j - i = r - max_distance
    returns:       (H, T, T) float32, before the softmax
    """
    # 1. The row of the table for each pair (i, j): (T, T).
    # 2. Query times key, plus query times that row, divided
    #    by the root of d.
    raise NotImplementedError("write steps 1 and 2")
