# cause: The ids are cast to int8, which ends at 127, so larger ids wrap round to other rows.
# names: \bint8|8.?bit|\b127\b|\b128\b|\b255\b|\b256\b|overflow|wraps? round.{0,40}(larger|large|above|past|id)|(large|larger|big|high)\w* (ids?|positions?).{0,60}(wrap|negative|(do not|don't) fit)|too (small|narrow).{0,40}(ids?|integer|type)|(wider|larger|bigger) (integer|int|dtype|type)
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    # positions are small whole numbers, 8 bits are enough
    idx = positions.astype(np.int8)
    return embedding_table[idx]
