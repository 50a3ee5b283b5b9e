import jax
import jax.numpy as jnp


def alibi_position_bias(
    query_positions: jax.Array, key_positions: jax.Array, heads: int
) -> jax.Array:
    """What is added to the scores of causal attention.

    query_positions: (Q,) int32
    key_positions:   (K,) int32
    returns:         (heads, Q, K) float32, -inf for future keys
    """
    # 1. A slope for each head: (heads,).
    # 2. The distance of each query and key: (Q, K).
    # 3. Multiply, and hide the future.
    raise NotImplementedError("write steps 1 to 3")
