# cause: A tuple of id rows is read as one index array per axis of the table, so the second sentence is looked up among the columns; index with the array itself.
# names: tuple|(one|an) (index|array)\w* .{0,12}(for|per) (each |every )?(axis|dimension)|separate (indices|index arrays|axes)|(second|next) sentence.{0,60}(column|axis|feature)|too many indices
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    idx = tuple(positions.astype(np.int64))
    return embedding_table[idx]
