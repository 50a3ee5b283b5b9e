# cause: The id itself is added to its row of the table; only the row should be returned, nothing is added.
# names: (you |is |was |been |ids?.{0,12})add(s|ed)?\b.{0,60}(id|position|row|itself)|(id|position)s?( itself)? (is |was |are |were )?(also )?added|(nothing|not).{0,15}\badd|too (large|big) by|off by (the|its|their) (id|position)|(plus|\+) (the|its|their) (id|position|row)|(sum|addition) of
import numpy as np

def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(np.int32)
    pos_emb = np.take(embedding_table, ids, axis=0)
    # add the position embedding to the input
    return positions[..., np.newaxis] + pos_emb
