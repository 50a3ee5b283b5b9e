# cause: A Python if asks a traced value inside jax.jit for True or False, which is not known while the function is compiled.
# names: \bif\b.{0,80}(trac|jit|jnp\.where|lax\.cond|known|compil)|tracer|traced|concrete|boolean|\bbool\b|(jit|compil\w*).{0,60}\bif\b|lax\.cond|control flow|true or false
import jax
import jax.numpy as jnp


@jax.jit
def solve(x):
    if jnp.abs(x).max() > 500:          # shift only if exp could overflow
        x = x - x.max(axis=-1, keepdims=True)
    e = jnp.exp(x)
    return e / e.sum(axis=-1, keepdims=True)
