import numpy as np


def t5_relative_buckets(
    relative_positions: np.ndarray,
    bidirectional: bool,
    num_buckets: int,
    max_distance: int,
) -> np.ndarray:
    """The bucket of each relative position, key minus query.

    relative_positions: (T, S) int32
    returns:            (T, S) int32
    """
    # 1. The distance, how many buckets it has, and at which they start.
    # 2. The bucket of a far distance: it grows with the logarithm.
    # 3. Near distances have buckets of their own.
    raise NotImplementedError("write steps 1 to 3")
