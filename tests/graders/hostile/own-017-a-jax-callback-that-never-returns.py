# allowed: time_limit
# framework: jax
# A callback that never returns, while the call waits inside XLA.
# Time is measured outside.

import jax, time
def wait(value):
    while True: time.sleep(1)
@jax.jit
def solve(x):
    return jax.pure_callback(wait, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
