# cause: embedding_table(ids) calls the array like a function; an array is indexed with square brackets.
# names: bracket|parenthes|call(ed|s|ing|able)?\b.{0,50}(array|table|function|it)|not callable|square|like a function|not a function
import numpy as np


def learned_absolute_position_embedding(
    positions: np.ndarray, embedding_table: np.ndarray
) -> np.ndarray:
    ids = positions.astype(int)
    return embedding_table(ids)
