# framework: jax
import jax.numpy as jnp


def positional_encoding(max_len, d_model, base=10000.0):
    column = jnp.arange(d_model)                                        # (d_model,)
    omega = base ** (-2.0 * (column // 2) / d_model)                    # (d_model,)
    angle = jnp.arange(max_len, dtype=jnp.float32)[:, None] * omega     # (max_len, d_model)
    return jnp.where(column % 2 == 0, jnp.sin(angle), jnp.cos(angle))
