# framework: jax
"""The output is right, but your gap ignores the sign: the largest difference may be negative. Take absolute values
before the maximum."""

import jax
import jax.numpy as jnp


def attention(z, w_q, w_k, w_v):
    scores = (z @ w_q) @ (z @ w_k).T / w_q.shape[1] ** 0.5
    return jax.nn.softmax(scores, axis=-1) @ z @ w_v


def order_gap(x, positions, w_q, w_k, w_v, permutation):
    if positions is None:
        positions = jnp.zeros_like(x)
    output = attention(x[permutation] + positions, w_q, w_k, w_v)
    in_order = attention(x + positions, w_q, w_k, w_v)
    return output, float((in_order[permutation] - output).max())
