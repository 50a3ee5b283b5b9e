# cause: out.at[i].set(...) returns a new array and leaves out as it is; its result is not kept, so zeros come back.
# names: \.at\b.{0,80}(return|new|copy|result|assign|keep|kept|throw|drop|lost)|\.set\b.{0,80}(return|new|copy|result|assign|keep|kept|throw|drop|lost)|immutable|result.{0,40}(not|never|un).{0,5}(kept|used|assigned|stored)|out = out|(all|nothing but) zeros|discard|thrown away
import jax
import jax.numpy as jnp


def solve(x: jax.Array) -> jax.Array:
    out = jnp.zeros_like(x)
    for i in range(x.shape[0]):
        e = jnp.exp(x[i] - jnp.max(x[i]))
        out.at[i].set(e / e.sum())
    return out
