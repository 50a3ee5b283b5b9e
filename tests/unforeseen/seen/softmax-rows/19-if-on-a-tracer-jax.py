# cause: Under jax.jit the scores are tracers without a value, so a Python if cannot compare them; use jnp.max or jnp.where.
# names: (python )?`?\bif\b`?.{0,80}(jit|traced|tracer|compil|concrete|array)|tracer.{0,80}(\bif\b|bool|value|compar|concrete|true)|(jit|traced|compil\w*).{0,80}(`if\b|\bbool|no value|compar|true or false|branch)|boolean|jnp\.(where|max)|(no|without|leave out|remove) `?(@|jax\.)*jit|truth
import jax
import jax.numpy as jnp
from jax import jit


@jit
def row_softmax(row):
    biggest = row[0]
    for value in row:
        if value > biggest:
            biggest = value
    e = jnp.exp(row - biggest)
    return e / e.sum()


def solve(x):
    return jnp.stack([row_softmax(r) for r in x])
