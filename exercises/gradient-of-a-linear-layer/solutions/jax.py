# framework: jax
import jax.numpy as jnp


def linear_gradients(x, W, dy):
    return {"dx": dy @ W.T, "dW": x.T @ dy, "db": jnp.sum(dy, axis=0)}
