# cause: vmap with in_axes=1 maps over the columns, so the softmax is taken of every column (and the result is turned round) instead of every row.
# names: in_axes|\bvmap|(columns?|each column).{0,40}(instead|softmax|rather)|columns sum|(sums?|softmax|maxim\w+).{0,40}(down|over|along) (the |each |every )?column|softmax of (the |each |every )?column|wrong axis|axis 0|along the first axis instead|columns.{0,20}not (the )?rows
import jax
import jax.numpy as jnp


def softmax_1d(v):
    v = v - v.max()
    return jnp.exp(v) / jnp.exp(v).sum()


def solve(x: jax.Array) -> jax.Array:
    return jax.vmap(softmax_1d, in_axes=1)(x)
