# cause: The ids that are not 0 are counted up again from 1, though positions already are the ids to look up.
# names: count\w* (up|again)|already|as they are|renumber|cumsum|new (ids|positions|numbers)|(index|use) .{0,20}positions
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    real = positions != 0
    ids = np.cumsum(real, axis=1) * real
    return embedding_table[ids]
