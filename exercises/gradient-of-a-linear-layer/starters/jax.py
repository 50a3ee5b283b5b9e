import jax
import jax.numpy as jnp


def linear_gradients(x: jax.Array, W: jax.Array, dy: jax.Array) -> dict[str, jax.Array]:
    """Send the gradient of y = x @ W + b on to x, W and b.

    x:       (N, I) float32
    W:       (I, O) float32
    dy:      (N, O) float32, the gradient of the loss by y
    returns: {"dx": (N, I), "dW": (I, O), "db": (O,)}, float32
    """
    raise NotImplementedError("return the three gradients")
