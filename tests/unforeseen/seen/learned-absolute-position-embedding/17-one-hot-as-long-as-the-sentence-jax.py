# cause: The one-hot rows have T entries, the length of the sentence; they need max_len, one for each row of the table.
# names: one.?hot (rows?|vectors?|matri|has|have|is|are|needs?|with|of|as|must|entr|encod|axis|width).{0,80}(`?max_len|`?\bt\b|rows? of the table|as (long|wide)|length|width|size|num_classes|entries)|num_classes|max_len.{0,40}(classes|entries|one.?hot|not `?t\b)|(classes|entries).{0,40}max_len|as (long|wide) as the sentence|(do(es)?|can ?)(n't| ?not) (fit|match)
import jax
import jax.numpy as jnp


def learned_absolute_position_embedding(positions, embedding_table):
    T = positions.shape[1]
    onehot = jax.nn.one_hot(positions.astype(int), T)
    return jnp.einsum("ntm,md->ntd", onehot, embedding_table)
