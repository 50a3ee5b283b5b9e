# cause: jax.numpy has no softmax; the function lives in jax.nn.
# names: jax\.nn|no attribute|(no|not a|no such) (function|attribute)|(not|n't) (exist|have a|have `?softmax|part of|in `?(jnp|jax\.numpy))|(jnp|jax\.numpy)`? has no|lives? in
import jax
import jax.numpy as jnp


def solve(x: jax.Array) -> jax.Array:
    return jnp.softmax(x, axis=-1)
