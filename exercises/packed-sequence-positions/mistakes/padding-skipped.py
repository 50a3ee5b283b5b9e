# framework: numpy
"""Your documents go on after padding. Padding ends a document: the same id behind it begins a new one, at 0."""

import numpy as np


def packed_positions(segment_ids):
    positions = np.zeros_like(segment_ids)
    for ids, row in zip(segment_ids, positions):
        last, count = 0, 0
        for t, number in enumerate(ids):
            if number == 0:
                continue
            count = count + 1 if number == last else 0
            row[t], last = count, number
    return positions
