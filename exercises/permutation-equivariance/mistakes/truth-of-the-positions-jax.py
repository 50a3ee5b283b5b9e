# framework: jax
# verdict: runtime_error
"""Where positions are given, your code asks for the truth of a whole array. To find out whether there are any, ask
`positions is None`."""

import jax
import jax.numpy as jnp


def order_gap(x, positions, w_q, w_k, w_v, permutation):
    def attention(z):
        scores = (z @ w_q) @ (z @ w_k).T / w_q.shape[1] ** 0.5
        return jax.nn.softmax(scores, axis=-1) @ (z @ w_v)

    places = positions or jnp.zeros_like(x)
    output = attention(x[permutation] + places)
    gap = jnp.abs(output - attention(x + places)[permutation]).max()
    return output, gap
