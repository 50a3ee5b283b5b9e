# cause: The ids of each sentence are sorted before the lookup, so the rows come in ascending order instead of the order of the tokens.
# names: \bsort(s|ed|ing)?\b|ascending|order of the (ids|tokens|positions)|(keep|in|lost|changed|other|another|wrong|their) (the |their |its )?(own |original )?order|increasing
import numpy as np


def learned_absolute_position_embedding(positions, embedding_table):
    ids = np.sort(positions).astype(np.int64)
    return embedding_table[ids, :]
