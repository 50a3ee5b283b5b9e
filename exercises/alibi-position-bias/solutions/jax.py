# framework: jax
import jax.numpy as jnp


def alibi_position_bias(query_positions, key_positions, heads):
    slopes = 2.0 ** (-8 * jnp.arange(1, heads + 1) / heads)             # (heads,)
    distance = query_positions[:, None] - key_positions                 # (Q, K)
    bias = -slopes[:, None, None] * distance                            # (heads, Q, K)
    return jnp.where(distance >= 0, bias, -jnp.inf)
