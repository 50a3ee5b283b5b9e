# cause: in_axes=1 makes vmap hand over the columns of x, so every column is normalised and the output has the shape (C, N).
# names: ^(?![\s\S]*turn it back)[\s\S]*(in_axes|vmap.{0,100}(axis|column|row)|(softmax|normali[sz]\w*|along|over|maps?|mapped|work\w*) .{0,15}columns?\b|columns? .{0,30}normali|\baxis 0|first axis|wrong axis)
import jax
import jax.numpy as jnp


def softmax_1d(v):
    e = jnp.exp(v - v.max())
    return e / jnp.sum(e)


def solve(x):
    # map over axis 1 because softmax is over axis 1
    return jax.vmap(softmax_1d, in_axes=1)(x)
