import numpy as np


def relative_scores(
    queries: np.ndarray, keys: np.ndarray, max_distance: int, table: np.ndarray
) -> np.ndarray:
    """Attention scores with relative positions in the keys.

    queries, keys: (H, T, d) float32
    table:         (2 * max_distance + 1, d) float32, row r is for
                   the distance j - i = r - max_distance
    returns:       (H, T, T) float32, before the softmax
    """
    # 1. The row of the table for each pair (i, j): (T, T).
    # 2. Query times key, plus query times that row, divided
    #    by the root of d.
    raise NotImplementedError("write steps 1 and 2")
