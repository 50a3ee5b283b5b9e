# framework: numpy
"""Your places go up to `max_len`, but the last row is at `max_len - 1`. With aligned corners the places run evenly
from 0 to `max_len - 1`."""

import numpy as np


def resize_table(table, new_len, align_corners):
    max_len = len(table)
    places = np.linspace(0, max_len, new_len, endpoint=align_corners)
    columns = [np.interp(places, np.arange(max_len), column) for column in table.T]
    return np.stack(columns, axis=1).astype(np.float32)
