import numpy as np


def look_up(table: np.ndarray, ids: np.ndarray, clip: bool) -> np.ndarray:
    """The row of each id; ids that the table does not have are
    clipped, or refused.

    table:   (max_len, d_model) float32
    ids:     (N, T) int32, any whole numbers
    clip:    True: use the nearest row. False: raise ValueError.
    returns: (N, T, d_model) float32
    """
    raise NotImplementedError("check or clip, then look up")
