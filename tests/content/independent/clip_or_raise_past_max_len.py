"""Follows NumPy's documentation of `np.take`: `mode="clip"` replaces each id by the nearest that there is. Without
clipping, Python's own `range` says which ids exist. A script of cases.py looks up `good` ids and then `bad` ones; of
it, the values of its statements are returned, an exception as its name."""

import numpy as np


def expected(table, ids=None, clip=False, **script):
    if script:
        assert set(script["bad"].reshape(-1).tolist()) - set(range(len(table)))
        return [np.take(table, script["good"], axis=0), "ValueError"]
    if not clip and not set(ids.reshape(-1).tolist()) <= set(range(len(table))):
        raise ValueError("an id has no row")
    return np.take(table, ids, axis=0, mode="clip")
