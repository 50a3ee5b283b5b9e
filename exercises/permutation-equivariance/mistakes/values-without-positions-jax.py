# framework: jax
"""Only your queries and keys have the positions, and the values do not. The formula makes all three from one `Z`, the sum of
tokens and positions."""

import jax
import jax.numpy as jnp


def order_gap(x, positions, w_q, w_k, w_v, permutation):
    def attention(z, tokens):
        scores = (z @ w_q) @ (z @ w_k).T / w_q.shape[1] ** 0.5
        return jax.nn.softmax(scores, axis=-1) @ (tokens @ w_v)

    places = jnp.zeros_like(x) if positions is None else positions
    output = attention(x[permutation] + places, x[permutation])
    gap = jnp.abs(output - attention(x + places, x)[permutation]).max()
    return output, gap
