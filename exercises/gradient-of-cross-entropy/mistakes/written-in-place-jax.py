# framework: jax
# verdict: runtime_error
"""JAX arrays cannot be changed in place. Write `p = p.at[jnp.arange(N), labels].add(-1)`, or subtract
`jax.nn.one_hot(labels, C)`."""

import jax
import jax.numpy as jnp


def cross_entropy_gradient(logits, labels):
    p = jax.nn.softmax(logits, axis=1)
    p[jnp.arange(len(labels)), labels] -= 1
    return p / len(labels)
