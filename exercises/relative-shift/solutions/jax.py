# framework: jax
import jax.numpy as jnp


def relative_shift(scores):
    H, T, K = scores.shape
    padded = jnp.pad(scores, ((0, 0), (0, 0), (1, 0)))                      # (H, T, K + 1)
    shifted = padded.reshape(H, K + 1, T)[:, 1:].reshape(H, T, K)
    return jnp.tril(shifted, k=K - T)
