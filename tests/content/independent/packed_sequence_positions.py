"""Follows the exercise's own definition, a document is a run of equal non-zero ids, with `itertools.groupby` of Python's
standard library."""

import itertools

import numpy as np


def expected(segment_ids):
    rows = []
    for ids in segment_ids.tolist():
        row = []
        for document, tokens in itertools.groupby(ids):
            row += [0 if document == 0 else place for place, _ in enumerate(tokens)]
        rows.append(row)
    return np.array(rows, dtype=np.int32)
