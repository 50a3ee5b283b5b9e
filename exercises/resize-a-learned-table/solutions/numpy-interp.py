# framework: numpy
import numpy as np


def resize_table(table, new_len, align_corners):
    max_len = len(table)
    if align_corners:
        places = np.linspace(0, max_len - 1, new_len)
    else:
        edges = np.linspace(0, max_len, new_len + 1)
        places = (edges[:-1] + edges[1:]) / 2 - 0.5
    columns = [np.interp(places, np.arange(max_len), column) for column in table.T]
    return np.stack(columns, axis=1).astype(np.float32)                     # (new_len, d_model)
