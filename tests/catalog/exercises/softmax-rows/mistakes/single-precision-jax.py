# framework: jax
"""You return float32 where the scores came as float64: only seven of sixteen digits are left. Leave out the cast;
this exercise runs with JAX's 64-bit mode switched on."""

import jax
import jax.numpy as jnp


def solve(x):
    return jax.nn.softmax(x.astype(jnp.float32), axis=-1)
