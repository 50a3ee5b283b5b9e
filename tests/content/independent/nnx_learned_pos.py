"""Follows `nnx.Embed` with `embedding_init=nnx.initializers.normal(stddev=0.02)`, looked up at `arange(T)`. It takes
one key from `rngs.params`, as the exercise does. Takes what a script of cases.py yields, and returns the values of its
statements, an exception as its name."""

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx


def expected(**inputs):
    sizes = inputs.get("max_T", 6), inputs.get("d_model", 4)
    rngs = nnx.Rngs(inputs["seed"])
    first, second = (
        nnx.Embed(*sizes, rngs=rngs, embedding_init=nnx.initializers.normal(stddev=0.02)) for _ in range(2)
    )
    if "max_T" in inputs:
        return [{"table": (sizes, "float32")}, np.array(first(jnp.arange(inputs["T"])))]
    if "table" in inputs:
        first.embedding[...] = jnp.array(inputs["table"])
        return [None, *(np.array(first(jnp.arange(T))) for T in (3, 6, 1))]
    if "weights" in inputs:
        _, back = jax.vjp(lambda table: jax.nn.one_hot(jnp.arange(3), 6) @ table, first.embedding[...])
        return [{"table": np.array(back(jnp.array(inputs["weights"]))[0])}]
    if "T" in inputs:
        return [np.array(first(jnp.arange(6))), "ValueError"]
    return [np.array(module(jnp.arange(3))) for module in (first, second)]
