import jax
import jax.numpy as jnp


def order_gap(
    x: jax.Array,
    positions: jax.Array | None,
    w_q: jax.Array,
    w_k: jax.Array,
    w_v: jax.Array,
    permutation: jax.Array,
) -> tuple[jax.Array, float]:
    """Attention on the permuted tokens, and its largest distance from the permuted answers.

    x:             (T, d_model) float32
    positions:     (T, d_model) float32, or None
    w_q, w_k, w_v: (d_model, D) float32
    permutation:   (T,) int32
    returns:       output (T, D) float32, gap: one number
    """
    raise NotImplementedError("return the output and the gap")
