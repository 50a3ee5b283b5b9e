# framework: numpy
import numpy as np


def look_up(table, ids, clip):
    if not clip:
        for place in np.ndindex(ids.shape):
            if ids[place] not in range(len(table)):
                raise ValueError(f"id {ids[place]} at {place} has no row")
    return np.take(table, ids, axis=0, mode="clip")         # (N, T, d_model)
