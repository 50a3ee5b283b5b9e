# framework: jax
import jax.numpy as jnp


def gather_along_axis(x, index, axis):
    return jnp.take_along_axis(x, index, axis=axis)                 # (I, J)
