# framework: jax
import jax.numpy as jnp


def wavelengths(d_model, base):
    exponent = jnp.arange(d_model // 2) * (2 / d_model)         # (d_model/2,)
    return 2 * jnp.pi * jnp.exp(exponent * jnp.log(base))
