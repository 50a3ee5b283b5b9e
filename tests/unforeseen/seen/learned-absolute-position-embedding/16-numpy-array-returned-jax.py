# cause: The result is a NumPy array, but on the JAX tab a JAX array is expected; work with jnp.
# names: (return\w*|result|output|answer|got|is|are|hand\w* back) (is |was |a |an |as |back |still )*`?(numpy|ndarray|np\.)|numpy (array|result|output)|(not|expected|should be|must be|instead of|need) (a |an |the )?`?jax.?(array|\.Array)|jnp\.(asarray|array)\(|(work|stay|compute) (with|in) `?(jnp|jax)
import jax
import numpy as np


def learned_absolute_position_embedding(positions: jax.Array, embedding_table: jax.Array):
    ids = np.array(positions, dtype=np.int64)
    table = np.array(embedding_table)
    return table[ids]
