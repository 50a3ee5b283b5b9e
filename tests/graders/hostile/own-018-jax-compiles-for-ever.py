# allowed: time_limit, memory_limit
# framework: jax
# A compile bomb: twenty thousand operations to trace, then to compile, with nothing to run.
# Compiling is the call's own time.

import jax, jax.numpy as jnp
@jax.jit
def solve(x):
    for n in range(20_000):
        x = jnp.sin(x + n) @ x.T @ x
    return x
