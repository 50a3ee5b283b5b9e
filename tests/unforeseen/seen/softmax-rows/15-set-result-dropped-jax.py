# cause: out.at[i].set(...) returns a new array and leaves out as it was; the result is thrown away, so out stays zero.
# names: \.at\b|(returns?|gives?|makes?) (you )?(a|the) (new|changed|updated) (array|copy|one)|immutable|(result|what `?set|it|array).{0,40}(thrown away|discard|dropped|not (assigned|kept|stored)|never (assigned|kept|stored))|(all|only|stays?|remains?|still) (all )?(zeros?\b|0\b)|(your|the) (output|result|answer|array)`? is (all |only |still )*zeros?\b|assign
import jax
import jax.numpy as jnp


def solve(x: jax.Array) -> jax.Array:
    out = jnp.zeros_like(x)
    for i in range(x.shape[0]):
        e = jnp.exp(x[i] - jnp.max(x[i]))
        out.at[i].set(e / jnp.sum(e))
    return out
