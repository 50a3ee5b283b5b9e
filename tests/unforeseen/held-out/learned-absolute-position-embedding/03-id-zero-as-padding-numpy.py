# cause: Tokens with id 0 are taken for padding and get a vector of zeros, but 0 is an ordinary position whose vector is row 0 of the table.
# names: (tak|treat|regard|mistak|consider)\w*.{0,40}padding|padding.{0,40}(zero|blank|row 0|ordinary)|(id|position|row) (0|zero)\b.{0,60}(ordinary|zeros|like any|own vector|valid|real)|(vector|row)s? of zeros|zeros?\b.{0,40}(where|for) .{0,20}(id|position)|(blank|eras|overwr|zeroed)\w*.{0,30}(0|zero)
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(np.int64)
    out = embedding_table[ids]
    out[ids == 0] = 0.0      # padding tokens have no position
    return out
