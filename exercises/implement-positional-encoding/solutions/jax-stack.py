# framework: jax
import jax.numpy as jnp


def positional_encoding(max_len, d_model, base=10000.0):
    pairs = (d_model + 1) // 2
    omega = jnp.exp(-jnp.log(base) * 2 * jnp.arange(pairs) / d_model)   # (pairs,)
    angle = jnp.outer(jnp.arange(max_len), omega)                       # (max_len, pairs)
    both = jnp.stack([jnp.sin(angle), jnp.cos(angle)], axis=-1)         # (max_len, pairs, 2)
    return both.reshape(max_len, 2 * pairs)[:, :d_model]
