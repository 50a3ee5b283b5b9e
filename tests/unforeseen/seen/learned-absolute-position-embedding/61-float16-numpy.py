# cause: The table passes through float16.
# names: half|float16
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    table = embedding_table.astype("float16")
    return table[positions.astype(int)].astype("float32")
