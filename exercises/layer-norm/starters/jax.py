import jax
import jax.numpy as jnp


def layer_norm(x: jax.Array, scale: jax.Array, shift: jax.Array, eps: float) -> jax.Array:
    """Normalise each token over its features, then scale and shift each feature.

    x:       (B, T, D) float32
    scale:   (D,) float32
    shift:   (D,) float32
    eps:     added to the variance
    returns: (B, T, D) float32
    """
    raise NotImplementedError("return the normalised tokens, scaled and shifted")
