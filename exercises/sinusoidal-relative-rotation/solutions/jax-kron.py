# framework: jax
import jax.numpy as jnp


def relative_rotation(k, d_model, base):
    angle = k * base ** (-2.0 * jnp.arange(d_model // 2) / d_model)     # (d_model/2,)
    quarter = jnp.array([[0.0, 1.0], [-1.0, 0.0]])
    return jnp.kron(jnp.diag(jnp.cos(angle)), jnp.eye(2)) + jnp.kron(jnp.diag(jnp.sin(angle)), quarter)
