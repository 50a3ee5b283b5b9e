# cause: Every token with id 0 is treated as padding and set to zeros, but id 0 means row 0 of the table like any other id.
# names: padding|(id|position|token)s?.{0,25}\b(0|zero)\b.{0,60}(zeros\b|blank|treat|mask|cleared|overwr|like any other|ordinary)|(set|turn|made|replac|overwr|mask)\w* .{0,40}(zeros?\b|\b0\b)|zeroed|blank|row 0.{0,40}(zeros\b|lost|missing|too|as well|overwr)|(is|are|become|all) zeros?\b
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    ids = positions.astype(np.int64)
    emb = embedding_table[ids]
    pad_mask = ids == 0
    emb[pad_mask] = 0.0     # no position information for padding
    return emb
