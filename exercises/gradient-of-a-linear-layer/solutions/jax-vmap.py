# framework: jax
import jax
import jax.numpy as jnp


def linear_gradients(x, W, dy):
    dx = jax.vmap(lambda row: W @ row)(dy)                  # (N, I)
    outer = jax.vmap(jnp.outer)(x, dy)                      # (N, I, O)
    return {"dx": dx, "dW": outer.sum(axis=0), "db": dy.sum(axis=0)}
