# framework: jax
"""You moved the positions along with the tokens, so the gap stays 0. Positions belong to places: reorder `x` alone,
then add them."""

import jax
import jax.numpy as jnp


def order_gap(x, positions, w_q, w_k, w_v, permutation):
    def attention(z):
        scores = (z @ w_q) @ (z @ w_k).T / w_q.shape[1] ** 0.5
        return jax.nn.softmax(scores, axis=-1) @ (z @ w_v)

    placed = x if positions is None else x + positions
    output = attention(placed[permutation])
    return output, jnp.abs(output - attention(placed)[permutation]).max()
