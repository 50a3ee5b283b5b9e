# cause: 1e-5 is added to the denominator, so the rows sum to a little less than 1; after the shift the sum is at least 1 and needs no protection.
# names: epsilon|\beps\b|1e-0?5|0\.00001|add\w*.{0,40}(to the|the) (sum|denominator)|(denominator|sum).{0,40}(added|plus)|(small|tiny) (number|constant)|sum\w*.{0,20}(a little|slightly) (less|below|under)|slightly (less|below|under)|(little|slightly) (too )?small
import jax
import jax.numpy as jnp

eps = 1e-5


def solve(x: jax.Array) -> jax.Array:
    x_max = x.max(axis=-1, keepdims=True)
    num = jnp.exp(x - x_max)
    den = num.sum(axis=-1, keepdims=True) + eps   # avoid division by zero
    return num / den
