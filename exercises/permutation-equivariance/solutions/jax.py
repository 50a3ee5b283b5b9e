# framework: jax
import jax
import jax.numpy as jnp


def order_gap(x, positions, w_q, w_k, w_v, permutation):
    def attention(z):                                                   # (T, d_model) -> (T, D)
        scores = (z @ w_q) @ (z @ w_k).T / w_q.shape[1] ** 0.5          # (T, T)
        return jax.nn.softmax(scores, axis=-1) @ (z @ w_v)

    added = 0.0 if positions is None else positions
    output = attention(x[permutation] + added)
    return output, jnp.abs(output - attention(x + added)[permutation]).max()
