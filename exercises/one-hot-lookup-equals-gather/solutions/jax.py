# framework: jax
import jax


def one_hot_lookup(ids, table):
    one_hot = jax.nn.one_hot(ids, table.shape[0], dtype=table.dtype)    # (N, T, V); zeros for an id outside
    return one_hot, one_hot @ table
