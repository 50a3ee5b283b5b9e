"""Without Flax: the key that its `Scope.make_rng` gives the first parameter is the seed's key, folded with the first four
bytes of the SHA-1 of the counter 1 (`flax/core/scope.py`); `jax.nn.initializers.normal` scales normal numbers by 0.02.
For the module itself: the shape that the statement names, and the first rows of the table that it is handed."""

import hashlib

import jax
import numpy as np

MAX_T = 32


def expected(seed, T=None, d_model=None, table=None):
    if table is not None:  # the script: its parameters, and its output with another table
        return [{"pos_embed": ((MAX_T, 3), "float32")}, table[:4]]
    digest = hashlib.sha1((1).to_bytes(1, "big")).digest()  # noqa: S324 (as Flax does)
    key = jax.random.fold_in(jax.random.PRNGKey(seed), int.from_bytes(digest[:4], "big"))
    return np.asarray(0.02 * jax.random.normal(key, (MAX_T, d_model)))[:T].reshape(-1)
