# framework: jax
import jax.numpy as jnp


def wavelengths(d_model, base):
    omega = base ** (-jnp.arange(0, d_model, 2) / d_model)      # (d_model/2,) radians for each position
    return 2 * jnp.pi / omega
