# cause: The arguments of jax.nn.one_hot are swapped: the ids come first and then the number of classes.
# names: swap|arguments.{0,40}(order|way round|exchang|revers|turned)|order of the arguments|one_hot.{0,60}(ids|indices).{0,20}first|(ids|indices).{0,20}first.{0,40}(classes|number|size)|num_classes|number of classes
import jax
import jax.numpy as jnp


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(jnp.int32)
    onehot = jax.nn.one_hot(embedding_table.shape[0], ids)
    return onehot @ embedding_table
