import jax
import jax.numpy as jnp


def wavelengths(d_model: int, base: float) -> jax.Array:
    """After how many positions each pair of columns repeats.

    returns: (d_model/2,) float32
    """
    raise NotImplementedError("return one wavelength for each pair")
