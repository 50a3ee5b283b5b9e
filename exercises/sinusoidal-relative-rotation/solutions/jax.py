# framework: jax
import jax
import jax.numpy as jnp


def relative_rotation(k, d_model, base):
    angle = k * base ** (-jnp.arange(0, d_model, 2) / d_model)          # (d_model/2,)
    sin, cos = jnp.sin(angle), jnp.cos(angle)
    blocks = jnp.stack([jnp.stack([cos, sin], -1), jnp.stack([-sin, cos], -1)], -2)     # (d_model/2, 2, 2)
    return jax.scipy.linalg.block_diag(*blocks)
