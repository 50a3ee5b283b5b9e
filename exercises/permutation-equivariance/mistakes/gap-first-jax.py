# framework: jax
"""You return the gap first and the output second. Return `(output, gap)`."""

import jax
import jax.numpy as jnp


def order_gap(x, positions, w_q, w_k, w_v, permutation):
    def attention(z):
        scores = (z @ w_q) @ (z @ w_k).T / w_q.shape[1] ** 0.5
        return jax.nn.softmax(scores, axis=-1) @ (z @ w_v)

    places = jnp.zeros_like(x) if positions is None else positions
    output = attention(x[permutation] + places)
    gap = jnp.abs(output - attention(x + places)[permutation]).max()
    return gap, output
