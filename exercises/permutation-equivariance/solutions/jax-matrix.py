# framework: jax
import jax
import jax.numpy as jnp


def order_gap(x, positions, w_q, w_k, w_v, permutation):
    order = jax.nn.one_hot(permutation, len(x))                         # (T, T): a permutation matrix
    added = jnp.zeros_like(x) if positions is None else positions
    both = jnp.stack([order @ x + added, x + added])                    # (2, T, d_model)
    scores = jnp.einsum("btd,bsd->bts", both @ w_q, both @ w_k) / jnp.sqrt(w_q.shape[1])
    output, in_order = jax.nn.softmax(scores, axis=-1) @ (both @ w_v)   # (T, D) each
    return output, float(jnp.max(jnp.abs(output - order @ in_order)))
